export type Vector = readonly number[];

export function normOf(vector: Vector): number {
  return Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
}

/** The cosine of their angle; nothing is similar to a vector of length zero. */
export function similarity(one: Vector, other: Vector): number {
  const length = normOf(one) * normOf(other);
  if (length === 0) return 0;
  return one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0) / length;
}

export function similaritiesOf(vectors: readonly Vector[]): number[][] {
  return vectors.map((one) => vectors.map((other) => similarity(one, other)));
}

/** The index of the text that is most similar to this one; undefined if there is no other. */
export function nearestTo(index: number, similarities: readonly (readonly number[])[]): number | undefined {
  const row = similarities[index] ?? [];
  let nearest: number | undefined;
  for (const [other, value] of row.entries()) {
    if (other !== index && (nearest === undefined || value > (row[nearest] ?? -1))) nearest = other;
  }
  return nearest;
}

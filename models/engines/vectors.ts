/** The beginning of a vector, made length 1. A vector of zeros has no direction and stays as it is. */
export function toUnitVector(values: ArrayLike<number>, dimensions = values.length): Float32Array {
  const vector = Float32Array.from({ length: dimensions }, (_, index) => values[index] ?? 0);
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length === 0 ? vector : vector.map((value) => value / length);
}

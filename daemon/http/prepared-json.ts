/**
 * An answer that is already serialized: large ones are written piece by piece, so that other requests run in between.
 */
export class PreparedJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Joins pieces of JSON and lets other requests run after each. */
export async function joinPieces(count: number, piece: (index: number) => string): Promise<string> {
  const pieces: string[] = [];
  for (let index = 0; index < count; index++) {
    pieces.push(piece(index));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return pieces.join(',');
}

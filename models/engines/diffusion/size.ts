export type Size = { width: number; height: number };

/** Models see pictures in cells of so many pixels; the small ones of tests in fewer. */
const CELL = 64;
const CELL_MIN = 16;

/** The size in which a model draws a picture: of its shape, and with no more pixels than it was trained for. */
export function drawnSize({ width, height }: Size, side: number): Size {
  const scale = Math.min(1, side / Math.sqrt(width * height));
  const cell = Math.min(CELL, Math.max(CELL_MIN, side));
  const fit = (pixels: number) => Math.max(cell, Math.round((pixels * scale) / cell) * cell);
  return { width: fit(width), height: fit(height) };
}

export function pixelsOf({ width, height }: Size): number {
  return width * height;
}

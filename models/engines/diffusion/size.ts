export type Size = { width: number; height: number };

/** The latent cell of real models; the small ones in tests have smaller cells. */
const CELL = 64;
const CELL_MIN = 16;

/** The native size for an image: its aspect ratio, with no more pixels than the model was trained for. */
export function drawnSize({ width, height }: Size, side: number): Size {
  const scale = Math.min(1, side / Math.sqrt(width * height));
  const cell = Math.min(CELL, Math.max(CELL_MIN, side));
  const fit = (pixels: number) => Math.max(cell, Math.round((pixels * scale) / cell) * cell);
  return { width: fit(width), height: fit(height) };
}

export function pixelsOf({ width, height }: Size): number {
  return width * height;
}

import type { DrawRequest } from '../../../src/runtime/engine.ts';

const QUALITY = 90;

/** Scales the generated image to the exact requested size and encodes it. */
export async function finish(
  drawn: Buffer,
  { width, height, format, quality = QUALITY }: DrawRequest,
): Promise<Uint8Array> {
  const { default: sharp } = await import('sharp');
  const sized = sharp(drawn).resize(width, height, { fit: 'cover', kernel: 'lanczos3' });
  const lossy = format === 'png' ? {} : { quality: Math.max(1, quality) };
  return sized.toFormat(format, lossy).toBuffer();
}

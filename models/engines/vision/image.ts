import sharp from 'sharp';
import { Failure } from '../../../src/base/errors.ts';
import type { ContentPart } from '../../../src/runtime/engine.ts';

/** Larger images are downscaled: no model here uses more, and the library reads whole files into memory. */
const SIDE_MAX = 2048;
const PIXELS_MAX = 2 ** 28;

type ImagePart = Extract<ContentPart, { type: 'image' }>;

/**
 * A data URL in a format that the library can certainly decode: upright, without transparency, and fully decoded
 * before, since a truncated file would crash the process. For an animation, the first frame.
 */
export async function prepareImage({ data }: ImagePart, index: number): Promise<string> {
  try {
    const png = await sharp(Buffer.from(data, 'base64'), { limitInputPixels: PIXELS_MAX, failOn: 'error' })
      .rotate()
      .resize({ width: SIDE_MAX, height: SIDE_MAX, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: 'white' })
      .toColourspace('srgb')
      .png({ compressionLevel: 1 })
      .toBuffer();
    return `data:image/png;base64,${png.toString('base64')}`;
  } catch (cause) {
    throw new Failure(
      'invalid_value',
      `Image ${index + 1} of the messages is damaged and cannot be decoded.`,
      {
        param: 'messages',
        cause,
      },
    );
  }
}

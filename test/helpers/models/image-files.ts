import sharp, { type Color } from 'sharp';

export type PictureFormat = 'png' | 'jpeg' | 'webp' | 'gif';

/** The file of an image of one colour. */
export function pictureFile(background: Color, format: PictureFormat = 'png', side = 32): Promise<Buffer> {
  const image = sharp({ create: { width: side, height: side, channels: 3, background } });
  return image.toFormat(format).toBuffer();
}

export async function pictureUrl(
  background: Color,
  format: PictureFormat = 'png',
  side = 32,
): Promise<string> {
  const file = await pictureFile(background, format, side);
  return `data:image/${format};base64,${file.toString('base64')}`;
}

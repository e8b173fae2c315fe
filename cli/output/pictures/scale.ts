import sharp from 'sharp';
import type { Pixels } from './sixel.ts';

const COLORS_MAX = 256;

export type Size = { width: number; height: number };
export type Scaled = Size & { png: Buffer };

/** An image no larger than the box, upright and with its proportions. For an animation, the first frame. */
export async function scalePicture(file: Buffer, { width, height }: Size): Promise<Scaled> {
  const { data, info } = await sharp(file)
    .rotate()
    .resize({ width, height, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .png({ compressionLevel: 6 })
    .toBuffer({ resolveWithObject: true });
  return { png: data, width: info.width, height: info.height };
}

export async function fewColors(png: Buffer): Promise<Pixels> {
  const reduced = await sharp(png).png({ palette: true, colours: COLORS_MAX }).toBuffer();
  const { data, info } = await sharp(reduced).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

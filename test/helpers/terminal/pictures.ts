import sharp from 'sharp';

export type Pixels = { data: Uint8Array; width: number; height: number };

/* eslint-disable no-control-regex -- the tests look for control characters */
const SIXEL = /\u001bP0;1;0q([^\u001b]*)\u001b\\/;
const TOKEN =
  /"\d+;\d+;(?<width>\d+);(?<height>\d+)|#(?<defined>\d+);2;(?<red>\d+);(?<green>\d+);(?<blue>\d+)|#(?<chosen>\d+)|!(?<count>\d+)(?<same>[?-~])|(?<one>[?-~])|(?<start>\$)|(?<next>-)/g;
const KITTY = /\u001b_G([^;]*);([^\u001b]*)\u001b\\/g;
const ITERM2 = /\u001b\]1337;File=([^:]*):([^\u0007]*)\u0007/;
/* eslint-enable no-control-regex */

/** What a terminal paints for sixel graphics; opacity 0 where it paints nothing. */
export function decodeSixel(output: string): Pixels {
  const [, body = ''] = SIXEL.exec(output) ?? [];
  const palette = new Map<string, readonly number[]>();
  const size = { width: 0, height: 0 };
  let data = new Uint8Array();
  let color = '';
  let [column, top] = [0, 0];
  const paint = (bits: number, count: number) => {
    for (; count > 0; count--, column++) {
      for (let row = 0; row < 6; row++)
        if (bits & (1 << row)) {
          if (column >= size.width || top + row >= size.height)
            throw new Error('painted outside of the image');
          data.set([...(palette.get(color) ?? []), 255], 4 * ((top + row) * size.width + column));
        }
    }
  };
  let length = 0;
  for (const { 0: token, groups = {} } of body.matchAll(TOKEN)) {
    length += token.length;
    const { width, height, defined, red, green, blue, chosen, count, same, one, start, next } = groups;
    if (width) {
      Object.assign(size, { width: Number(width), height: Number(height) });
      data = new Uint8Array(4 * size.width * size.height);
    } else if (defined)
      palette.set(
        defined,
        [red, green, blue].map((part) => Math.round((Number(part) * 255) / 100)),
      );
    else if (chosen) color = chosen;
    else if (count && same) paint(same.charCodeAt(0) - 63, Number(count));
    else if (one) paint(one.charCodeAt(0) - 63, 1);
    else if (start) column = 0;
    else if (next) [column, top] = [0, top + 6];
  }
  if (length !== body.length) throw new Error('not all of it is sixel');
  return { data, ...size };
}

/** The settings of the first piece, and the image that all pieces make. */
export async function decodeKitty(output: string): Promise<{ settings: string; picture: Pixels }> {
  const pieces = [...output.matchAll(KITTY)].filter(([, settings]) => !settings?.includes('a=q'));
  const more = pieces.map(([, settings = '']) => /m=(\d)/.exec(settings)?.[1]);
  if (more.indexOf('0') !== pieces.length - 1) throw new Error('the last piece is not marked as the last');
  const png = Buffer.from(pieces.map(([, , data]) => data).join(''), 'base64');
  return { settings: pieces[0]?.[1] ?? '', picture: await pixelsOf(png) };
}

export async function decodeIterm2(output: string): Promise<{ settings: string; picture: Pixels }> {
  const [, settings = '', data = ''] = ITERM2.exec(output) ?? [];
  return { settings, picture: await pixelsOf(Buffer.from(data, 'base64')) };
}

export async function pixelsOf(file: Buffer): Promise<Pixels> {
  const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** A photo-like image: each pixel has a colour that depends on its position. */
export function gradientFile(width: number, height: number, format: 'png' | 'jpeg' = 'png'): Promise<Buffer> {
  const data = Buffer.alloc(3 * width * height);
  for (let at = 0; at < width * height; at++) {
    const [column, row] = [at % width, Math.floor(at / width)];
    data.set([(255 * column) / width, (255 * row) / height, 128], 3 * at);
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .toFormat(format)
    .toBuffer();
}

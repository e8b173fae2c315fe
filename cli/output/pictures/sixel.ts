/** Pixels of four bytes each: red, green, blue and opacity. At most 256 colours. */
export type Pixels = { data: Uint8Array; width: number; height: number };

const BAND_HEIGHT = 6;
/** Below this length, a repetition is no shorter than what it repeats. */
const REPEATED_MIN = 4;
const OPAQUE_MIN = 128;

/** The DEC sixel graphics of an image: bands of six rows, each with one layer per colour. */
export function sixelPicture({ data, width, height }: Pixels): string {
  const colors = new Map<number, number>();
  const bands: string[] = [];
  for (let top = 0; top < height; top += BAND_HEIGHT) {
    const layers = layersOf({ data, width, height }, top, colors);
    bands.push(layers.map(([color, bits]) => `#${color}${repeated(bits)}`).join('$'));
  }
  const palette = [...colors].map(([rgb, index]) => `#${index};2;${percents(rgb).join(';')}`);
  // 1: pixels without a layer keep the background of the terminal.
  return `\u001bP0;1;0q"1;1;${width};${height}${palette.join('')}${bands.join('-')}\u001b\\`;
}

/** For each colour of a band: the rows that have it, as bits for each column. */
function layersOf({ data, width, height }: Pixels, top: number, colors: Map<number, number>) {
  const layers = new Map<number, Uint8Array>();
  for (let row = 0; row < Math.min(BAND_HEIGHT, height - top); row++) {
    for (let column = 0; column < width; column++) {
      const at = 4 * ((top + row) * width + column);
      const [red = 0, green = 0, blue = 0, opacity = 0] = data.subarray(at, at + 4);
      if (opacity < OPAQUE_MIN) continue;
      const index = indexOf((red << 16) | (green << 8) | blue, colors);
      const bits = layers.get(index) ?? new Uint8Array(width);
      bits[column] = (bits[column] ?? 0) | (1 << row);
      layers.set(index, bits);
    }
  }
  return [...layers];
}

function indexOf(rgb: number, colors: Map<number, number>): number {
  const index = colors.get(rgb) ?? colors.size;
  colors.set(rgb, index);
  return index;
}

function repeated(bits: Uint8Array): string {
  let text = '';
  for (let from = 0, to = 0; from < bits.length; from = to) {
    while (to < bits.length && bits[to] === bits[from]) to++;
    const character = String.fromCharCode(63 + (bits[from] ?? 0));
    text += to - from < REPEATED_MIN ? character.repeat(to - from) : `!${to - from}${character}`;
  }
  return text;
}

/** Sixel specifies colours in percent. */
function percents(rgb: number): number[] {
  return [rgb >> 16, (rgb >> 8) & 255, rgb & 255].map((part) => Math.round((part * 100) / 255));
}

import type { Glyphs } from './theme.ts';

type Room = { width: number; height: number };
type Value = number | undefined;

/** The dots of a braille letter, from the bottom up, left and right. */
const DOTS = [
  [0x40, 0x04, 0x02, 0x01],
  [0x80, 0x20, 0x10, 0x08],
] as const;
const BRAILLE = 0x2800;
const DOTS_HIGH = 4;

/** How many values fit into a row of letters. */
export function valuesIn(width: number, { graph }: Glyphs): number {
  return graph === 'dots' ? 2 * width : width;
}

/** The latest values as lines of text, scaled to the greatest. Zero is the lowest line; unknown values stay empty. */
export function drawGraph(values: readonly Value[], { width, height }: Room, glyphs: Glyphs): string[] {
  const isDots = glyphs.graph === 'dots';
  const each = isDots ? 2 : 1;
  const high = isDots ? DOTS_HIGH : glyphs.bars.length;
  const columns = values.slice(-width * each);
  const greatest = Math.max(0, ...columns.map((value) => value ?? 0));
  const levels = columns.map((value) => levelOf(value, greatest, high * height));
  while (levels.length < width * each) levels.unshift(0);
  return Array.from({ length: height }, (_, row) => {
    const below = (height - 1 - row) * high;
    const letters = Array.from({ length: width }, (__, letter) =>
      levels.slice(letter * each, (letter + 1) * each).map((level) => within(level - below, high)),
    );
    return letters.map(isDots ? brailleOf : ([level = 0]) => glyphs.bars[level - 1] ?? ' ').join('');
  });
}

function levelOf(value: Value, greatest: number, levels: number): number {
  if (value === undefined) return 0;
  return value <= 0 ? 1 : Math.max(1, Math.ceil((value / greatest) * levels));
}

function within(level: number, high: number): number {
  return Math.max(0, Math.min(high, level));
}

function brailleOf(levels: readonly number[]): string {
  const dots = levels.flatMap((level, side) => DOTS[side]?.slice(0, level) ?? []);
  return dots.length === 0 ? ' ' : String.fromCodePoint(BRAILLE + dots.reduce((sum, dot) => sum + dot, 0));
}

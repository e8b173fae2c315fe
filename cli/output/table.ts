import { sanitiseLine } from './sanitise.ts';

export type Column<Row> = {
  title: string;
  value: (row: Row) => string;
  align?: 'right' | 'decimal';
  /** For other programs, if the value is rounded for people. */
  exact?: (row: Row) => string;
  /**
   * Shrinks when the table is wider than the screen: at its end or, for names that people type, last and in the
   * middle.
   */
  shrinks?: true | 'middle';
};

const GAP = '  ';
const SHRUNK_WIDTH_MIN = 8;

export type Screen = {
  /** The terminal's width; a pipe is unlimited. */
  width: number;
  header?: (text: string) => string;
  /** Tab-separated lines without titles, for other programs. */
  plain?: boolean;
};

/** Aligned columns. */
export function renderTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { width, header = (text) => text, plain = false }: Screen,
): string {
  const textOf = ({ value, exact }: Column<Row>) => (plain && exact ? exact : value);
  const cells = rows.map((row) => columns.map((column) => sanitiseLine(textOf(column)(row))));
  if (plain) return cells.map((row) => row.join('\t')).join('\n');
  columns.forEach(({ align }, index) => align === 'decimal' && alignColumn(cells, index));
  const lines = [columns.map((column) => column.title), ...cells];
  const widths = fitWidths(columns, measure(lines, columns.length), width);
  const [titles = '', ...body] = lines.map((line) => renderLine(line, columns, widths));
  return [header(titles), ...body].join('\n');
}

function alignColumn(cells: string[][], column: number): void {
  const aligned = alignDecimals(cells.map((row) => row[column] ?? ''));
  cells.forEach((row, index) => (row[column] = aligned[index] ?? ''));
}

/** Pads the ends, so that right-aligned numbers align at the decimal point. */
export function alignDecimals(texts: readonly string[]): string[] {
  const places = (text: string) => text.length - (text.includes('.') ? text.indexOf('.') : text.length);
  const most = Math.max(0, ...texts.map(places));
  return texts.map((text) => text + ' '.repeat(most - places(text)));
}

/** `name  value` lines, for one record. */
export function renderFields(fields: readonly (readonly [name: string, value: string])[]): string {
  const nameWidth = Math.max(...fields.map(([name]) => displayWidth(name)));
  return fields.map(([name, value]) => pad(name, nameWidth) + GAP + sanitiseLine(value)).join('\n');
}

const ONE_CELL_EACH = /^[ -~]*$/;

/** The terminal cells of a text: wide letters and emoji take two, combining marks none. */
export function displayWidth(text: string): number {
  if (ONE_CELL_EACH.test(text)) return text.length;
  let width = text.match(DRAWN_AS_EMOJI)?.length ?? 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

const NO_CELL = /^[\p{Mn}\p{Me}\u200b-\u200d]/u;

/** Unicode's East Asian Width W and F. A flag consists of two letters of one cell each, and narrow kana are narrow. */
const TWO_CELLS = new RegExp(
  '^(?![\\p{RI}\\uff61-\\uffdc])' +
    '[\\p{Emoji_Presentation}\\p{sc=Tangut}\\p{sc=Nushu}\\p{sc=Hiragana}\\p{sc=Katakana}' +
    '\\u1100-\\u115f\\u2329\\u232a\\u2e80-\\u303e\\u3041-\\ua4cf\\ua960-\\ua97c\\uac00-\\ud7a3\\uf900-\\ufaff' +
    '\\ufe10-\\ufe19\\ufe30-\\ufe6f\\uff01-\\uff60\\uffe0-\\uffe6\\u{1f200}-\\u{1f265}\\u{20000}-\\u{3fffd}]',
  'u',
);

/** A symbol of one cell, followed by the selector for its two-cell emoji. */
const DRAWN_AS_EMOJI = /(?!\p{Emoji_Presentation})\p{Emoji}\ufe0f/gu;

function characterWidth(character: string): number {
  if (NO_CELL.test(character)) return 0;
  return TWO_CELLS.test(character) ? 2 : 1;
}

function measure(lines: readonly (readonly string[])[], columnCount: number): number[] {
  return Array.from({ length: columnCount }, (_, index) =>
    Math.max(...lines.map((line) => displayWidth(line[index] ?? ''))),
  );
}

function fitWidths<Row>(
  columns: readonly Column<Row>[],
  natural: readonly number[],
  width: number,
): number[] {
  const widths = [...natural];
  let excess = widths.reduce((sum, each) => sum + each + GAP.length, -GAP.length) - width;
  while (excess > 0) {
    const widest = widestShrinking(true, columns, widths) ?? widestShrinking('middle', columns, widths);
    if (widest === undefined) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess--;
  }
  return widths;
}

function widestShrinking<Row>(
  where: Column<Row>['shrinks'],
  columns: readonly Column<Row>[],
  widths: readonly number[],
): number | undefined {
  let widest: number | undefined;
  for (const [index, column] of columns.entries()) {
    const width = widths[index] ?? 0;
    const candidate = column.shrinks === where && width > SHRUNK_WIDTH_MIN;
    if (candidate && width > (widest === undefined ? 0 : (widths[widest] ?? 0))) widest = index;
  }
  return widest;
}

function renderLine<Row>(
  line: readonly string[],
  columns: readonly Column<Row>[],
  widths: readonly number[],
): string {
  const cells = columns.map((column, index) => {
    const width = widths[index] ?? 0;
    const text = line[index] ?? '';
    const cell = column.shrinks === 'middle' ? truncateMiddle(text, width) : truncate(text, width);
    return column.align ? pad('', width - displayWidth(cell)) + cell : pad(cell, width);
  });
  return cells.join(GAP).trimEnd();
}

export function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  for (const character of text) {
    if (displayWidth(kept + character) > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Names differ at their ends as often as at their starts. */
export function truncateMiddle(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  const tailWidth = Math.floor((width - 1) / 2);
  let tail = '';
  for (const character of [...text].reverse()) {
    if (displayWidth(character + tail) > tailWidth) break;
    tail = character + tail;
  }
  return truncate(text, width - displayWidth(tail)) + tail;
}

export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

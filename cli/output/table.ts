import { displayWidth, pad, truncate, truncateMiddle } from './display-width.ts';
import { sanitiseLine } from './sanitise.ts';
import { wrapFields } from './wrap.ts';

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

/** Aligned columns; on a screen that is too narrow for them, the fields of one row below each other. */
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
  if (rows.length > 0 && totalWidth(widths) > width) return renderRecords(cells, columns, width);
  const [titles = '', ...body] = lines.map((line) => renderLine(line, columns, widths));
  return [header(titles), ...body].join('\n');
}

function renderRecords<Row>(
  cells: readonly (readonly string[])[],
  columns: readonly Column<Row>[],
  width: number,
): string {
  const records = cells.map((row) =>
    columns.map(({ title }, index) => [title, row[index]?.trim() ?? ''] as const),
  );
  return records.map((fields) => renderFields(wrapFields(fields, width))).join('\n\n');
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
  let excess = totalWidth(widths) - width;
  while (excess > 0) {
    const widest = widestShrinking(true, columns, widths) ?? widestShrinking('middle', columns, widths);
    if (widest === undefined) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess--;
  }
  return widths;
}

function totalWidth(widths: readonly number[]): number {
  return widths.reduce((sum, each) => sum + each + GAP.length, -GAP.length);
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

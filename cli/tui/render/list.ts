import { alignDecimals } from '../../output/table.ts';
import { fit, fitText, span, textOf, type Line, type Size, type Span } from './lines.ts';
import type { Theme } from './theme.ts';

export type Column<Row> = {
  title: string;
  value: (row: Row) => string | Span;
  /** Columns with `rest` share the remaining width. */
  width: number | 'rest';
  align?: 'right' | 'decimal';
  /** Hidden in narrower lists. */
  from?: number;
};

export type ListView<Row> = {
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  selected: number;
  isFocused: boolean;
};

/** The titles and as many rows as fit, around the selected one, which is marked. */
export function renderList<Row>(
  { rows, columns, selected, isFocused }: ListView<Row>,
  size: Size,
  theme: Theme,
): Line[] {
  const shownColumns = columns.filter(({ from = 0 }) => size.width >= from);
  const widths = share(shownColumns, size.width - 2);
  const height = size.height - 1;
  const aligned = alignedTexts(rows, shownColumns);
  const first = Math.max(0, Math.min(selected - Math.floor(height / 2), rows.length - height));
  const titles = shownColumns.map(({ title, align }, index) => fitText(title, widths[index] ?? 0, align));
  const lines: Line[] = [[span(`  ${titles.join(' ')}`, { dim: true })]];
  rows.slice(first, first + height).forEach((row, offset) => {
    const index = first + offset;
    const isSelected = index === selected;
    lines.push(
      renderRow(
        { row, index, columns: shownColumns, widths, aligned, isSelected, isFocused },
        size.width,
        theme,
      ),
    );
  });
  return lines;
}

/** Of all rows, so that nothing moves sideways while scrolling. */
function alignedTexts<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): readonly (readonly string[] | undefined)[] {
  return columns.map(({ align, value }) =>
    align === 'decimal' ? alignDecimals(rows.map((row) => textOf([toSpan(value(row))]))) : undefined,
  );
}

/** What a row says without its place on the screen. */
export function cellsOf<Row>(row: Row, columns: readonly Column<Row>[]): string[] {
  return columns.map(({ value }) => textOf([toSpan(value(row))]).trim()).filter((text) => text !== '');
}

const toSpan = (shown: string | Span): Span => (typeof shown === 'string' ? span(shown) : shown);

type RowView<Row> = {
  row: Row;
  index: number;
  aligned: readonly (readonly string[] | undefined)[];
  columns: readonly Column<Row>[];
  widths: readonly number[];
  isSelected: boolean;
  isFocused: boolean;
};

function renderRow<Row>(
  { row, index: rowIndex, columns, widths, aligned, isSelected, isFocused }: RowView<Row>,
  width: number,
  { glyphs }: Theme,
): Line {
  const cells = columns.flatMap(({ value, align }, index): Span[] => {
    const cell = toSpan(value(row));
    const text = fitText(aligned[index]?.[rowIndex] ?? cell.text, widths[index] ?? 0, align);
    return [...(index > 0 ? [{ text: ' ' }] : []), { ...cell, text }];
  });
  const mark = span(isSelected ? `${glyphs.selected} ` : '  ');
  const whole = fit([mark, ...cells], width);
  if (!isSelected) return whole;
  return whole.map((each) => ({ ...each, bold: true, ...(isFocused && { inverse: true }) }));
}

function share<Row>(columns: readonly Column<Row>[], width: number): number[] {
  const fixed = columns.reduce((sum, column) => sum + (column.width === 'rest' ? 0 : column.width), 0);
  const sharing = columns.filter((column) => column.width === 'rest').length;
  const left = Math.max(0, width - fixed - (columns.length - 1));
  return columns.map((column) =>
    column.width === 'rest' ? Math.max(6, Math.floor(left / Math.max(1, sharing))) : column.width,
  );
}

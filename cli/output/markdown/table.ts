import { readInline } from './inline.ts';
import { BOLD, DIM, PLAIN, repaint, type Pen, type Piece } from './style.ts';
import { widthOf, wrapPieces } from './wrapper.ts';

const GAP = '  ';
const COLUMN_WIDTH_MIN = 6;
const DELIMITERS = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

export function isTable(lines: readonly string[]): boolean {
  return lines.length > 1 && DELIMITERS.test(lines[1] ?? '');
}

/** A table as wide as needed; on a narrow screen its cells wrap. */
export function renderTableLines(lines: readonly string[], columns: number): Piece[][] {
  const [titles = [], delimiters = [], ...body] = lines.map(cellsOf);
  const aligns = delimiters.map(alignOf);
  const rows = [titles, ...body].map((cells, index) =>
    Array.from({ length: Math.max(titles.length, cells.length) }, (_, column) => {
      const pieces = readInline(cells[column] ?? '');
      return index === 0 ? repaint(pieces, BOLD) : pieces;
    }),
  );
  const widths = fit(naturalWidths(rows), columns);
  const rule = widths.map((width) => [{ text: '─'.repeat(width), style: DIM }]);
  const [first = [], ...others] = rows.map((row) => renderRow(row, widths, aligns));
  return [...first, joinCells(rule), ...others.flat()];
}

function cellsOf(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner
    .replace(/`[^`]*`/g, (code) => code.replace(/(?<!\\)\|/g, '\\|'))
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
}

type Align = 'left' | 'right' | 'center';

function alignOf(delimiter: string): Align {
  if (!delimiter.endsWith(':')) return 'left';
  return delimiter.startsWith(':') ? 'center' : 'right';
}

function naturalWidths(rows: readonly Piece[][][]): number[] {
  const count = Math.max(...rows.map((row) => row.length));
  return Array.from({ length: count }, (_, column) =>
    Math.max(1, ...rows.map((row) => widthOf(row[column] ?? []))),
  );
}

/** The widest column shrinks first. */
function fit(widths: readonly number[], columns: number): number[] {
  const fitted = [...widths];
  const total = () => fitted.reduce((sum, each) => sum + each + GAP.length, -GAP.length);
  while (total() > columns) {
    const widest = fitted.indexOf(Math.max(...fitted));
    if ((fitted[widest] ?? 0) <= COLUMN_WIDTH_MIN) break;
    fitted[widest] = (fitted[widest] ?? 0) - 1;
  }
  return fitted;
}

function renderRow(row: readonly Piece[][], widths: readonly number[], aligns: readonly Align[]): Piece[][] {
  const cells = row.map((pieces, column) => wrapPieces(pieces, widths[column] ?? 1));
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    joinCells(
      widths.map((width, column) => alignCell(cells[column]?.[line] ?? [], width, aligns[column] ?? 'left')),
    ),
  );
}

function alignCell(pieces: Piece[], width: number, align: Align): Piece[] {
  const room = Math.max(0, width - widthOf(pieces));
  const left = align === 'left' ? 0 : align === 'right' ? room : Math.floor(room / 2);
  return [spaces(left), ...pieces, spaces(room - left)];
}

function joinCells(cells: readonly Piece[][]): Piece[] {
  return trimEnd(cells.flatMap((cell, index) => (index === 0 ? cell : [spaces(GAP.length), ...cell])));
}

/** Trailing spaces are dropped. */
function trimEnd(pieces: readonly Piece[]): Piece[] {
  const last = pieces.findLastIndex(({ text }) => text.trim() !== '');
  return pieces.slice(0, last + 1);
}

const spaces = (count: number): Piece => ({ text: ' '.repeat(count), style: PLAIN });

export function drawLines(pen: Pen, quotes: readonly Piece[], lines: readonly Piece[][]): void {
  for (const line of lines) {
    for (const { text, style } of [...quotes, ...line]) pen.paint(text, style);
    pen.newline();
  }
}

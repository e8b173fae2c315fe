import type { IBufferCell, Terminal } from '@xterm/headless';

export const CELL = { width: 8.4, height: 18 };
const FONT_SIZE = 14;
export const PADDING = 14;
export const TITLE_HEIGHT = 30;
const GROUND = '#14161b';
const INK = '#d7dae0';
const DIM = 0.55;

/** The sixteen named colours of a terminal. */
const PALETTE = [
  ...['#3b4048', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#d7dae0'],
  ...['#5c6370', '#ff7b86', '#b5e890', '#ffd68a', '#7cc4ff', '#dd94f2', '#6fd6e3', '#ffffff'],
];

type Style = { color: string; ground: string | undefined; isBold: boolean; isDim: boolean };
/** `columns` has the position of each character in it. */
export type Run = Style & { from: number; cells: number; text: string; columns: number[] };

/** A terminal's screen as an SVG with selectable text. Empty rows at the end are left out. */
export function toSvg(terminal: Terminal, title: string): string {
  const rows = rowsOf(terminal);
  const width = terminal.cols * CELL.width + 2 * PADDING;
  const height = rows.length * CELL.height + 2 * PADDING + TITLE_HEIGHT;
  const size = `width="${width.toFixed(0)}" height="${height}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${width.toFixed(0)} ${height}" role="img">`,
    `<title>${escape(title)}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="${GROUND}"/>`,
    `<g font-family="ui-sans-serif, system-ui, sans-serif" font-size="13" fill="${INK}" opacity="0.6">`,
    `<text x="50%" y="20" text-anchor="middle">${escape(title)}</text></g>`,
    `<g font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${FONT_SIZE}">`,
    ...rows.flatMap(rowSvg),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

export function rowSvg(runs: readonly Run[], row: number): string[] {
  return runs.map((run) => runSvg(run, row));
}

function runSvg(run: Run, row: number): string {
  const { from, cells, color, ground, isBold, isDim } = run;
  const top = TITLE_HEIGHT + PADDING + row * CELL.height;
  const back =
    ground === undefined
      ? ''
      : `<rect x="${left(from)}" y="${top}" width="${wide(cells)}" height="${CELL.height}" fill="${ground}"/>`;
  const style = `fill="${color}"${isBold ? ' font-weight="bold"' : ''}${isDim ? ` opacity="${DIM}"` : ''}`;
  const words = piecesOf(run).map((piece) => {
    // Columns stay aligned whatever the font is.
    const fit = `textLength="${wide(piece.cells)}" lengthAdjust="spacingAndGlyphs"`;
    return `<text x="${left(piece.from)}" y="${top + 13}" ${fit} ${style}>${escape(piece.text)}</text>`;
  });
  return back + words.join('');
}

/** The text between wider gaps: browsers collapse several spaces into one, and would stretch the rest to its width. */
function piecesOf({ from, cells, text, columns }: Run): Pick<Run, 'from' | 'cells' | 'text'>[] {
  return Array.from(text.matchAll(/\S+(?: \S+)*/g), ({ index, 0: piece }) => {
    const begin = columns[index] ?? from;
    const end = columns[index + piece.length] ?? from + cells;
    return { from: begin, cells: end - begin, text: piece };
  });
}

const left = (column: number) => (PADDING + column * CELL.width).toFixed(1);
const wide = (cells: number) => (cells * CELL.width).toFixed(1);

/** Without empty rows at the end. */
export function rowsOf({ buffer, rows, cols }: Terminal): Run[][] {
  const { active } = buffer;
  const all = Array.from({ length: rows }, (_, row) => {
    const line = active.getLine(active.viewportY + row);
    const runs: Run[] = [];
    for (let column = 0; column < cols; column++) {
      const cell = line?.getCell(column);
      if (cell !== undefined && cell.getWidth() > 0) addCell(runs, cell, column);
    }
    return runs;
  });
  const last = all.findLastIndex((runs) => runs.some(({ text, ground }) => text.trim() !== '' || ground));
  return all.slice(0, last + 1);
}

function addCell(runs: Run[], cell: IBufferCell, column: number): void {
  const style = styleOf(cell);
  const text = cell.getChars() || ' ';
  const columns = Array.from({ length: text.length }, () => column);
  const run = runs.at(-1);
  if (run && run.from + run.cells === column && isSame(run, style)) {
    run.text += text;
    run.columns.push(...columns);
    run.cells += cell.getWidth();
  } else runs.push({ ...style, from: column, cells: cell.getWidth(), text, columns });
}

function styleOf(cell: IBufferCell): Style {
  const ink = cell.isFgDefault() ? INK : colorOf(cell.getFgColor(), cell.isFgRGB());
  const ground = cell.isBgDefault() ? undefined : colorOf(cell.getBgColor(), cell.isBgRGB());
  const isInverse = cell.isInverse() !== 0;
  return {
    color: isInverse ? (ground ?? GROUND) : ink,
    ground: isInverse ? ink : ground,
    isBold: cell.isBold() !== 0,
    isDim: cell.isDim() !== 0,
  };
}

function isSame(a: Style, b: Style): boolean {
  return a.color === b.color && a.ground === b.ground && a.isBold === b.isBold && a.isDim === b.isDim;
}

/** A colour of the terminal's palette, or one given by its components. */
function colorOf(value: number, isRgb: boolean): string {
  if (isRgb) return `#${value.toString(16).padStart(6, '0')}`;
  return PALETTE[value] ?? cubeColor(value);
}

function cubeColor(value: number): string {
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40);
  const parts =
    value >= 232
      ? Array.from({ length: 3 }, () => 8 + (value - 232) * 10)
      : [36, 6, 1].map((weight) => level(Math.floor((value - 16) / weight) % 6));
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

export function escape(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}

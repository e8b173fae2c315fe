import { readFile } from 'node:fs/promises';
import { columnsOf, type TerminalOutput } from '../output.ts';
import { askTmux, wrapForTmux } from '../tmux.ts';
import { iterm2Picture } from './iterm2.ts';
import { kittyPicture, kittyPlaceholders } from './kitty.ts';
import { answeredProtocol, canAsk, type PictureMode, type PictureProtocol } from './protocol.ts';
import { createQuery } from './query.ts';
import type { Scaled, Size } from './scale.ts';
import { sixelPicture } from './sixel.ts';

const COLUMNS_MAX = 60;
const ROWS_MAX = 20;
/** For a terminal that does not report the size of a character. */
const CELL: Size = { width: 10, height: 20 };
/** A larger size is that of a terminal which draws graphics larger than itself. */
const CELL_HEIGHT_MAX = 100;
const IDS = 255;
const KITTY_MINOR_MIN = 28;

type Parts = {
  terminal: TerminalOutput & { rows?: number };
  env: NodeJS.ProcessEnv;
  mode: () => PictureMode;
};
type Way = { protocol: PictureProtocol; cell: Size; isTmux: boolean };
type Cells = { columns: number; rows: number };

export type Pictures = ReturnType<typeof createPictures>;

/** Images between the lines of a conversation. The terminal is asked what it can show before the first one. */
export function createPictures({ terminal, env, mode }: Parts) {
  const query = createQuery((text) => terminal.write(text));
  const isTmux = Boolean(env['TMUX']);
  let asked: ReturnType<typeof ask> | undefined;
  let shown = 0;

  /** What the terminal and tmux answer. */
  async function ask() {
    if (!canAsk(env)) return undefined;
    const [answers, tmux] = await Promise.all([query.ask({ isTmux }), isTmux ? askTmux(env) : undefined]);
    // A terminal behind tmux supports kitty graphics if tmux passes them on.
    const cell = answers?.cell ?? cellIn(answers?.area, terminal) ?? CELL;
    return answers && { ...answers, cell, hasKitty: answers.hasKitty || isKitty(tmux), tmux };
  }

  async function way(): Promise<Way | undefined> {
    const wanted = mode();
    if (wanted === 'off') return undefined;
    const answers = await (asked ??= ask());
    if (answers === undefined && wanted === 'auto') return undefined;
    const protocol = wanted === 'auto' ? answers && answeredProtocol(env, answers) : wanted;
    // Sixel graphics are handled by tmux itself.
    const isLost = isTmux && protocol !== 'sixel' && answers?.tmux?.passesThrough !== true;
    return protocol && !isLost ? { protocol, cell: answers?.cell ?? CELL, isTmux } : undefined;
  }

  return {
    /** To be called with the terminal's reports, which arrive among the keys. */
    onReport: (report: string) => query.onReport(report),
    /** The lines that show an image; none if it cannot be shown. */
    show: async (file: string): Promise<string> => {
      const found = await way();
      if (found === undefined) return '';
      const { scalePicture } = await import('./scale.ts');
      const { cell } = found;
      const columns = Math.min(COLUMNS_MAX, columnsOf(terminal) - 1);
      const rows = Math.max(1, Math.min(ROWS_MAX, Math.floor((terminal.rows ?? 0) / 2)));
      const box = { width: columns * cell.width, height: rows * cell.height };
      const scaled = await readFile(file)
        .then((bytes) => scalePicture(bytes, box))
        .catch(() => undefined);
      // An image that cannot be decoded is reported by the model that receives it.
      if (scaled === undefined) return '';
      shown = (shown % IDS) + 1;
      return linesOf(scaled, found, shown);
    },
  };
}

/** xterm draws no graphics larger than 1000×1000, so at worst an image is smaller than it could be. */
function cellIn(area: Size | undefined, { columns = 0, rows = 0 }: Parts['terminal']): Size | undefined {
  if (area === undefined || columns === 0 || rows === 0) return undefined;
  const cell = { width: Math.floor(area.width / columns), height: Math.floor(area.height / rows) };
  return cell.width > 0 && cell.height > 0 && cell.height <= CELL_HEIGHT_MAX ? cell : undefined;
}

/** In kitty before 0.28, placeholders are characters without a glyph. */
function isKitty(tmux: Awaited<ReturnType<typeof askTmux>>): boolean {
  if (tmux?.passesThrough !== true) return false;
  const [, major, minor] = /^kitty\((\d+)\.(\d+)/.exec(tmux.terminal) ?? [];
  return Number(major) > 0 || Number(minor) >= KITTY_MINOR_MIN || /ghostty/i.test(tmux.terminal);
}

async function linesOf(scaled: Scaled, { protocol, cell, isTmux }: Way, id: number): Promise<string> {
  const cells = {
    columns: Math.max(1, Math.floor(scaled.width / cell.width)),
    rows: Math.ceil(scaled.height / cell.height),
  };
  if (protocol === 'kitty' && isTmux) return placeholders(scaled, cells, id);
  return placed(await drawn(scaled, protocol, cells, isTmux), cells.rows);
}

async function drawn(
  { png }: Scaled,
  protocol: PictureProtocol,
  cells: Cells,
  isTmux: boolean,
): Promise<string> {
  if (protocol === 'kitty') return kittyPicture(png, `a=T,c=${cells.columns},C=1`).join('');
  if (protocol === 'iterm2') {
    const sequence = iterm2Picture(png, cells);
    return isTmux ? wrapForTmux(sequence) : sequence;
  }
  const { fewColors } = await import('./scale.ts');
  return sixelPicture(await fewColors(png));
}

/**
 * Empty lines make room, and the image is drawn from the line below them. So it does not matter where a terminal
 * leaves the cursor, and nothing of the image scrolls away while it is drawn.
 */
function placed(sequence: string, rows: number): string {
  return `${'\n'.repeat(rows)}\u001b7\r\u001b[${rows}A${sequence}\u001b8\n`;
}

/** tmux knows nothing about the image, but moves the text that stands for it. */
function placeholders({ png }: Scaled, cells: Cells, id: number): string {
  const settings = `a=T,U=1,i=${id},c=${cells.columns},r=${cells.rows}`;
  const pieces = kittyPicture(png, settings).map(wrapForTmux);
  return `${pieces.join('')}${kittyPlaceholders(id, cells).join('\n')}\n`;
}

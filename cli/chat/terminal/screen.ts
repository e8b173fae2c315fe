import { Writable } from 'node:stream';
import { columnsOf, type TerminalOutput } from '../../output/output.ts';
import { sanitise } from '../../output/sanitise.ts';
import { displayWidth } from '../../output/display-width.ts';
import { cutStyled } from './cut-styled.ts';

/** Synchronized output: terminals that support it show a change at once; others ignore it. */
const BEGIN = '\u001b[?2026h';
const END = '\u001b[?2026l';
const ERASE_REST = '\u001b[K';
const ERASE_BELOW = '\u001b[J';
/** For an incomplete line that is wider than the screen, its end is shown. */
const UNFINISHED_ROWS_MAX = 6;

/** Lines that fit the screen's width, and the position of the cursor in them. */
export type View = { lines: readonly string[]; row: number; column: number };

export type Screen = ReturnType<typeof openScreen>;

const NOTHING: View = { lines: [], row: 0, column: 0 };

/**
 * The last lines of a terminal, which change, while printed output goes above them and scrolls away. Only lines that
 * differ are written.
 */
export function openScreen(terminal: TerminalOutput, onResize: () => void) {
  let view = NOTHING;
  /** The end of the printed output, up to its next line break. */
  let unfinished = '';
  let printed = '';
  let painted: readonly string[] = [];
  let cursor = { row: 0, column: 0 };
  let columns = columnsOf(terminal);
  let isLent = false;
  let scheduled: NodeJS.Immediate | undefined;

  function schedule(): void {
    scheduled ??= setImmediate(paint);
  }

  function paint(): void {
    clearImmediate(scheduled);
    scheduled = undefined;
    if (isLent) return;
    const before = columns === columnsOf(terminal) ? '' : eraseAll();
    const finished = (unfinished + printed).split('\n');
    unfinished = finished.pop() ?? '';
    printed = '';
    const above = unfinished === '' ? [] : cutStyled(unfinished, columns).slice(-UNFINISHED_ROWS_MAX);
    write(before + repaint(finished, above));
  }

  function repaint(finished: readonly string[], above: readonly string[]): string {
    const lines = [...above, ...view.lines];
    const to = { row: lines.length === 0 ? 0 : above.length + view.row, column: view.column };
    const isSame = lines.length === painted.length && lines.every((each, index) => each === painted[index]);
    if (finished.length === 0 && isSame) {
      const move = to.row === cursor.row && to.column === cursor.column ? '' : moved(cursor.row, to);
      cursor = to;
      return move;
    }
    const changed = changes(finished, lines);
    const text = moved(cursor.row, { row: 0, column: 0 }) + changed;
    painted = lines;
    cursor = to;
    return text + moved(Math.max(0, lines.length - 1), to);
  }

  /** From the first painted line; the cursor is on the last line afterwards. */
  function changes(finished: readonly string[], lines: readonly string[]): string {
    let text = '';
    let at = 0;
    for (const line of finished) {
      const rows = rowsOf(line, columns);
      text += `${rows === 1 && line === painted[at] ? '' : erased(line)}\r\n`;
      at += rows;
    }
    const last = lines.length - 1;
    lines.forEach((line, index) => {
      text += (line === painted[at] ? '' : erased(line)) + (index === last ? '' : '\r\n');
      at += 1;
    });
    if (at >= painted.length) return text;
    return text + (lines.length === 0 ? ERASE_BELOW : `\r\n${ERASE_BELOW}\u001b[A`);
  }

  /** After the last column the cursor is still on it, so a full line must not erase to its end. */
  function erased(line: string): string {
    const width = widthOf(line);
    return width > 0 && width % columns === 0 ? line : line + ERASE_REST;
  }

  /** After a change of width, terminals rewrap lines. Not all do so with the cursor's own line. */
  function eraseAll(): string {
    columns = columnsOf(terminal);
    const above = painted.slice(0, cursor.row).reduce((sum, line) => sum + rowsOf(line, columns), 0);
    painted = [];
    cursor = { row: 0, column: 0 };
    return moved(above, cursor) + ERASE_BELOW;
  }

  function write(text: string): void {
    if (text !== '') terminal.write(BEGIN + text + END);
  }

  /** Removes the lines, and leaves the cursor where they started. */
  function clear(): void {
    if (printed !== '' || scheduled) paint();
    const rest = unfinished === '' ? '' : `${unfinished}\r\n`;
    unfinished = '';
    if (painted.length > 0) write(moved(cursor.row, { row: 0, column: 0 }) + ERASE_BELOW + rest);
    painted = [];
    cursor = { row: 0, column: 0 };
  }

  terminal.on('resize', onResize);
  return {
    /** Output written to this is printed above the lines. */
    output: outputOf(terminal, (text) => {
      printed += text;
      schedule();
    }),
    columns: () => columnsOf(terminal),
    show(next: View): void {
      view = next;
      schedule();
    },
    /** Erases the whole screen first. */
    redraw(): void {
      terminal.write('\u001b[H\u001b[2J');
      painted = [];
      cursor = { row: 0, column: 0 };
      schedule();
    },
    /** Gives the terminal to another program in the meantime. */
    async lend<Result>(use: () => Promise<Result>): Promise<Result> {
      clear();
      isLent = true;
      try {
        return await use();
      } finally {
        isLent = false;
        schedule();
      }
    },
    close(): void {
      terminal.off('resize', onResize);
      view = NOTHING;
      clear();
      clearImmediate(scheduled);
    },
  };
}

function outputOf(terminal: TerminalOutput, print: (text: string) => void): TerminalOutput {
  const stream = new Writable({
    decodeStrings: false,
    write(part: string | Buffer, _encoding, done) {
      print(String(part));
      done();
    },
  });
  Object.defineProperties(stream, {
    isTTY: { value: true },
    columns: { get: () => columnsOf(terminal) },
  });
  return stream;
}

function moved(from: number, to: { row: number; column: number }): string {
  const rows = to.row - from;
  const vertical = rows === 0 ? '' : rows < 0 ? `\u001b[${-rows}A` : `\u001b[${rows}B`;
  return `\r${vertical}${to.column === 0 ? '' : `\u001b[${to.column}C`}`;
}

function widthOf(line: string): number {
  return displayWidth(sanitise(line));
}

function rowsOf(line: string, columns: number): number {
  return Math.max(1, Math.ceil(widthOf(line) / columns));
}

import type { TerminalOutput } from '../../output/output.ts';
import { sanitise } from '../../output/sanitise.ts';
import { displayWidth } from '../../output/display-width.ts';

/** Synchronized output: terminals that support it show a change at once; others ignore it. */
const BEGIN = '\u001b[?2026h';
const END = '\u001b[?2026l';
const ERASE_REST = '\u001b[K';
const ERASE_BELOW = '\u001b[J';

/**
 * The last lines of a terminal, repainted again and again, while finished lines go above them and scroll away. The
 * cursor rests below them.
 */
export function createRegion(stream: TerminalOutput, columns: () => number) {
  let painted: readonly string[] = [];
  let width = columns();

  function write(text: string): void {
    if (text !== '') stream.write(BEGIN + text + END);
  }

  /** After a change of width, terminals rewrap the earlier lines. */
  function rows(): number {
    if (columns() === width) return painted.length;
    return painted.reduce(
      (sum, each) => sum + Math.max(1, Math.ceil(displayWidth(sanitise(each)) / columns())),
      0,
    );
  }

  function erase(): string {
    const height = rows();
    painted = [];
    width = columns();
    return height === 0 ? '' : `\r\u001b[${height}A${ERASE_BELOW}`;
  }

  /** Only the lines that differ. */
  function repaint(lines: readonly string[]): string {
    if (lines.length === painted.length && lines.every((each, index) => each === painted[index])) return '';
    const body = lines.map((each, index) => (each === painted[index] ? '' : each + ERASE_REST) + '\r\n');
    const back = painted.length === 0 ? '' : `\r\u001b[${painted.length}A`;
    return back + body.join('') + (lines.length < painted.length ? ERASE_BELOW : '');
  }

  return {
    /** Puts finished lines above the region, and sets the region's lines from now on. */
    update(finished: readonly string[], lines: readonly string[]): void {
      const isFresh = finished.length > 0 || columns() !== width;
      const before = isFresh ? erase() + finished.map((each) => `${each}\r\n`).join('') : '';
      const text = before + repaint(lines);
      painted = lines;
      write(text);
    },
    /** Makes room for output that is written elsewhere on the same terminal. */
    clear: (): void => write(erase()),
  };
}

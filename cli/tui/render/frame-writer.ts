import { sanitise } from '../../output/sanitise.ts';
import { displayWidth } from '../../output/display-width.ts';

/** Synchronized output: terminals that support it show a frame at once; others ignore it. */
const BEGIN = '\u001b[?2026h';
const END = '\u001b[?2026l';
const ERASE_REST = '\u001b[K';
const ERASE_BELOW = '\u001b[J';

/** Ten frames per second are enough for reading, and leave a slow connection free for typing. */
const REST_MS_MIN = 100;
const REST_MS_MAX = 1000;
const BYTES_PER_MS = 4;
/** Automatic updates may take an eighth of a core, however slow the machine is. */
const RESTS_PER_WORK = 8;

/**
 * Marks a line of a frame that has not changed: Ink spends most of a frame's time on its letters. This character
 * occurs in no text.
 */
export const UNCHANGED = '\uFDD0';

/** The lines of a frame that follows these. */
export function linesOf(frame: string, before: readonly string[]): string[] {
  return frame.split('\n').map((line, index) => (line === UNCHANGED ? (before[index] ?? '') : line));
}

type Terminal = NodeJS.WriteStream;

/**
 * Takes whole frames from Ink and writes only the lines that differ, so that nothing scrolls or flickers. (Ink 6's
 * own incremental rendering loses a line when a frame is shorter than the screen.)
 */
export function createFrameWriter(stdout: Terminal, processor = () => process.cpuUsage()) {
  let painted: readonly string[] = [];
  let bytes = 0;
  let workMs = 0;
  let before: NodeJS.CpuUsage | undefined;

  function paint(frame: string): void {
    const lines = linesOf(frame, painted);
    const changes = lines.flatMap((line, index) =>
      line === painted[index] ? [] : [at(index) + whole(line)],
    );
    if (lines.length < painted.length) changes.push(at(lines.length) + ERASE_BELOW);
    painted = lines;
    const text = changes.length > 0 ? BEGIN + changes.join('') + END : '';
    bytes = Buffer.byteLength(text);
    if (text !== '') stdout.write(text);
    measure();
  }

  /** Processor time, not wall time, since other programs use some. The time before the first frame does not count. */
  function measure(): void {
    const now = processor();
    workMs = before === undefined ? 0 : (now.user - before.user + now.system - before.system) / 1000;
    before = now;
  }

  /** After the last column the cursor is still on it, so a full line must not erase to its end. */
  function whole(line: string): string {
    return displayWidth(sanitise(line)) >= stdout.columns ? line : line + ERASE_REST;
  }

  /** Ink writes an empty text to ask whether everything has been written. */
  const write = (frame: string, done?: () => void): boolean => {
    if (frame !== '') paint(frame);
    return done === undefined || stdout.write('', done);
  };
  return {
    stream: Object.create(stdout, { write: { value: write } }) as Terminal,
    /** How long automatic updates wait after the last frame: longer after more output and work. */
    restMs: () => Math.min(REST_MS_MAX, Math.max(REST_MS_MIN, bytes / BYTES_PER_MS, workMs * RESTS_PER_WORK)),
    /** The screen was overwritten: the next frame is drawn completely. */
    forget: () => void (painted = []),
  };
}

function at(row: number): string {
  return `\u001b[${row + 1};1H`;
}

import { sanitise } from '../../output/sanitise.ts';
import { displayWidth } from '../../output/table.ts';

/** Terminals that know it show all of a frame at once; the others pass over it. */
const BEGIN = '\u001b[?2026h';
const END = '\u001b[?2026l';
const ERASE_REST = '\u001b[K';
const ERASE_BELOW = '\u001b[J';

/** Ten times a second is as often as anybody reads; a line over a slow network stays free for what is typed. */
const REST_MS_MIN = 100;
const REST_MS_MAX = 1000;
const BYTES_PER_MS = 4;
/** What comes by itself may take an eighth of a core, however slow the machine is. */
const RESTS_PER_WORK = 8;

type Terminal = NodeJS.WriteStream;

/**
 * Takes whole frames from Ink and writes the lines that differ, each at its place: nothing scrolls and nothing is drawn
 * twice. (Ink 6's own incremental rendering loses a line when a frame is lower than the screen.)
 */
export function createFrameWriter(stdout: Terminal, processor = () => process.cpuUsage()) {
  let painted: readonly string[] = [];
  let bytes = 0;
  let workMs = 0;
  let before: NodeJS.CpuUsage | undefined;

  function paint(frame: string): void {
    const lines = frame.split('\n');
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

  /** The processor's time, not the clock's: other programs have theirs. What came before the first frame is no measure. */
  function measure(): void {
    const now = processor();
    workMs = before === undefined ? 0 : (now.user - before.user + now.system - before.system) / 1000;
    before = now;
  }

  /** After the last column the cursor still stands on it, so a full line must not erase what comes after. */
  function whole(line: string): string {
    return displayWidth(sanitise(line)) >= stdout.columns ? line : line + ERASE_REST;
  }

  /** Ink asks with an empty text whether all is written. */
  const write = (frame: string, done?: () => void): boolean => {
    if (frame !== '') paint(frame);
    return done === undefined || stdout.write('', done);
  };
  return {
    stream: Object.create(stdout, { write: { value: write } }) as Terminal,
    /** How long what comes by itself waits after the last paint: the more that wrote and worked, the longer. */
    restMs: () => Math.min(REST_MS_MAX, Math.max(REST_MS_MIN, bytes / BYTES_PER_MS, workMs * RESTS_PER_WORK)),
    /** The screen holds something else now: the next frame is painted whole. */
    forget: () => void (painted = []),
  };
}

function at(row: number): string {
  return `\u001b[${row + 1};1H`;
}

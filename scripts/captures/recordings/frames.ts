import xterm from '@xterm/headless';
import { rowsOf, type Run } from '../svg.ts';
import type { Cast } from './cast.ts';

/** A screen, and how long it stays. */
export type Frame = { rows: readonly (readonly Run[])[]; seconds: number };

/** Changes that follow each other faster than this are one frame. */
const FRAME_SECONDS = 0.12;
/** Nobody watches a model think for longer than this. */
const PAUSE_SECONDS_MAX = 1.2;
/** Time to read the last screen before it starts again. */
const END_SECONDS = 5;

/** The screens of a recording, produced by the terminal emulator of the tests. */
export async function framesOf({ columns, rows, events }: Cast): Promise<Frame[]> {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  const frames: Frame[] = [];
  let last = '';
  for (const [index, [at, output]] of events.entries()) {
    await new Promise<void>((resolve) => terminal.write(output, resolve));
    const next = events[index + 1]?.[0];
    const seconds = next === undefined ? END_SECONDS : Math.min(PAUSE_SECONDS_MAX, next - at);
    const before = frames.at(-1);
    const screen = rowsOf(terminal);
    const content = JSON.stringify(screen);
    if (before && (content === last || before.seconds < FRAME_SECONDS)) {
      before.rows = screen;
      before.seconds += seconds;
    } else frames.push({ rows: screen, seconds });
    last = content;
  }
  return frames;
}

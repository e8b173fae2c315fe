import type { Context } from '../../context.ts';

export type Progress = {
  /** With what is counted, if that changes. */
  show: (done: number, total: number, what?: string) => void;
  end: () => void;
};

/** Fewer items are done soon, and need no line in a log. */
const WORTH_A_LINE = 20;
const STEPS = 10;

/** Progress: on a terminal, one line that is redrawn and finally removed; otherwise a line for each tenth. */
export function createProgress(
  { io, output }: Pick<Context, 'io' | 'output'>,
  { what: always = '' }: { what?: string } = {},
): Progress {
  const line = (done: number, total: number, what = always) => `${what}${done} of ${total}`;
  const { stderr } = io;
  if (output.quiet) return { show: () => undefined, end: () => undefined };
  if (stderr.isTTY) return screenProgress((text) => void stderr.write(text), line);
  let reported = 0;
  return {
    show(done, total, what) {
      const step = Math.floor((done * STEPS) / total);
      if (total > WORTH_A_LINE && step > reported) output.note(line(done, total, what));
      reported = step;
    },
    end: () => undefined,
  };
}

const CLEAR_LINE = '\r\u001b[K';
const BAR_CELLS = 20;

function bar(share: number): string {
  const full = Math.round(Math.min(1, share) * BAR_CELLS);
  return '█'.repeat(full) + '·'.repeat(BAR_CELLS - full);
}

function screenProgress(
  write: (text: string) => void,
  line: (done: number, total: number, what?: string) => string,
): Progress {
  let isDrawn = false;
  return {
    show(done, total, what) {
      write(`${CLEAR_LINE}${bar(done / total)}  ${line(done, total, what)}`);
      isDrawn = true;
    },
    end() {
      if (isDrawn) write(CLEAR_LINE);
      isDrawn = false;
    },
  };
}

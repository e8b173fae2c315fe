import type { Context } from '../../context.ts';
import type { Progress } from '../text/progress.ts';

const CLEAR_LINE = '\r\u001b[K';
const STEPS = 10;
/** Shorter audio is done soon, and needs no line in a log. */
const WORTH_A_LINE_SECONDS = 60;

/** Transcription progress: on a terminal, one line that is removed at the end; otherwise a line for each tenth. */
export function createSoundProgress({ io, output }: Pick<Context, 'io' | 'output'>, label: string): Progress {
  const { stderr } = io;
  let [reported, isDrawn] = [0, false];
  const line = (seconds: number, total: number) => `${label}: ${clock(seconds)} of ${clock(total)}`;
  return {
    show(seconds, total) {
      if (output.quiet) return;
      if (stderr.isTTY) {
        stderr.write(CLEAR_LINE + line(seconds, total));
        isDrawn = true;
        return;
      }
      const step = Math.floor((seconds * STEPS) / total);
      if (total > WORTH_A_LINE_SECONDS && step > reported) output.note(line(seconds, total));
      reported = step;
    },
    end() {
      if (isDrawn) stderr.write(CLEAR_LINE);
      isDrawn = false;
    },
  };
}

function clock(seconds: number): string {
  const whole = Math.round(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

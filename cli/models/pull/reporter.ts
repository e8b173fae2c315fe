import type { Pull } from '../../../src/api/management/library.ts';
import { columnsOf, type TerminalOutput } from '../../output/output.ts';
import { sanitiseLine } from '../../output/sanitise.ts';
import { etaOf, percentOf, progressLines, rateOf } from './progress-text.ts';
import { formatBytes } from '../../output/format.ts';

export type Reporter = { show: (pull: Pull) => void; end: () => void };

const STEP_PERCENT = 10;

/** Redraws the same lines of a terminal. */
export function screenReporter(terminal: TerminalOutput): Reporter {
  let drawn = 0;
  const clear = () => (drawn === 0 ? '' : `\u001b[${drawn}A\u001b[0J`);
  return {
    show(pull) {
      const width = Math.max(40, columnsOf(terminal)) - 1;
      const lines = progressLines(pull, width, Date.now()).map(sanitiseLine);
      terminal.write(`${clear()}${lines.join('\n')}\n`);
      drawn = lines.length;
    },
    end() {
      terminal.write(clear());
      drawn = 0;
    },
  };
}

/** For logs: a line for each tenth, and one for each wait. */
export function lineReporter(write: (line: string) => void): Reporter {
  let reported = -1;
  let reason: string | undefined;
  return {
    show(pull) {
      const { bytes_received: received, bytes_total: total, waiting } = pull;
      const percent = percentOf(received, total);
      const step = Math.floor(percent / STEP_PERCENT);
      if (waiting && waiting.reason !== reason) write(`waiting: ${waiting.reason}`);
      reason = waiting?.reason;
      if (step <= reported) return;
      reported = step;
      const amounts = `${formatBytes(received)} of ${formatBytes(total)}`;
      write(
        [`${step * STEP_PERCENT}%`.padStart(4), amounts, rateOf(pull), etaOf(pull)]
          .filter(Boolean)
          .join('  '),
      );
    },
    end: () => undefined,
  };
}

export const silentReporter: Reporter = { show: () => undefined, end: () => undefined };

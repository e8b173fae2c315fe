import type { Output, TerminalOutput } from '../../output/output.ts';
import { formatBytes } from '../../output/format.ts';

export type Progress = ReturnType<typeof createProgress>;

/** On a terminal, one line that is redrawn; elsewhere, a line for each step. */
export function createProgress(output: Pick<Output, 'quiet' | 'json' | 'note'>, stderr: TerminalOutput) {
  const isShown = !output.quiet && !output.json;
  const isDrawn = isShown && stderr.isTTY === true;
  let title = '';
  let total = 0;
  let done = 0;
  let percent = -1;

  function draw(): void {
    const now = total === 0 ? 0 : Math.floor((done / total) * 100);
    if (!isDrawn || now === percent) return;
    percent = now;
    const amount = total === 0 ? '…' : `: ${formatBytes(done)} of ${formatBytes(total)}, ${now}%`;
    stderr.write(`\r\u001b[K${title}${amount}`);
  }

  return {
    step(next: string, bytes = 0): void {
      [title, total, done, percent] = [next, bytes, 0, -1];
      if (isDrawn) draw();
      else if (isShown) output.note(`${title}…`);
    },
    advance: (bytes: number): void => {
      done += bytes;
      draw();
    },
    end(): void {
      if (isDrawn) stderr.write('\r\u001b[K');
    },
  };
}

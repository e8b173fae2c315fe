import { createInterface } from 'node:readline';
import type { Io } from '../../../output/output.ts';

/** The address at which a browser on another machine ended up, pasted on the terminal; other lines are skipped. */
export function pastedAnswer(
  state: string,
  { stdin, stderr }: Pick<Io, 'stdin' | 'stderr'>,
  signal: AbortSignal,
): Promise<URLSearchParams> {
  const lines = createInterface({ input: stdin });
  signal.addEventListener('abort', () => lines.close(), { once: true });
  return new Promise((resolve) => {
    lines.on('line', (line) => {
      const text = line.trim();
      const query = URL.canParse(text) ? new URL(text).searchParams : undefined;
      if (query?.get('state') === state) resolve(query);
      else if (text !== '') stderr.write('This is not the address where the browser ended up.\n');
    });
  });
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { sanitiseLine } from './sanitise.ts';
import { truncate } from './display-width.ts';

const EVERY_MS = 2_000;

/** Repeated output: redrawn in place on a terminal, appended in a pipe. */
export async function watch(
  { io, output, signal }: Context,
  look: () => Promise<{ document: object; text: string }>,
): Promise<never> {
  let height = 0;
  for (;;) {
    const { document, text } = await look();
    if (output.json) output.line(JSON.stringify(document));
    else if (!io.stdout.isTTY) output.line(`${text}\n`);
    else {
      const lines = text.split('\n').map((line) => truncate(sanitiseLine(line), output.width - 1));
      const back = height === 0 ? '' : `\u001b[${height}A\u001b[J`;
      output.write(`${back}${lines.join('\n')}\n`);
      height = lines.length;
    }
    await sleep(EVERY_MS, undefined, { signal });
  }
}

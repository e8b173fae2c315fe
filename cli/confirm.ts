import { createInterface } from 'node:readline';
import { Failure } from '../src/errors.ts';
import { Interruption } from './interruption.ts';
import type { Io } from './output.ts';

/** Asks on the terminal; without one, `--yes` must have said it. Only a plain yes is a yes. */
export async function confirm(
  question: string,
  { stdin, stderr }: Io,
  signal: AbortSignal,
): Promise<boolean> {
  if (!stdin.isTTY) {
    throw new Failure('missing_required_parameter', `${question} Add --yes to do it without a terminal.`);
  }
  const prompt = createInterface({ input: stdin, output: stderr, terminal: true });
  try {
    return await new Promise<boolean>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
      prompt.on('SIGINT', () => reject(new Interruption('SIGINT', 130)));
      prompt.on('close', () => resolve(false));
      prompt.question(`${question} [y/N] `, (answer) => resolve(/^y(es)?$/i.test(answer.trim())));
    });
  } finally {
    prompt.close();
  }
}

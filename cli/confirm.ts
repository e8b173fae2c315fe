import { createInterface } from 'node:readline/promises';
import { Failure } from '../src/errors.ts';
import type { Io } from './output.ts';

/** Asks on the terminal; without one, `--yes` must have said it. */
export async function confirm(
  question: string,
  { stdin, stderr }: Io,
  signal: AbortSignal,
): Promise<boolean> {
  if (!stdin.isTTY)
    throw new Failure('missing_required_parameter', `${question} Add --yes to do it without a terminal.`);
  const prompt = createInterface({ input: stdin, output: stderr });
  try {
    const answer = await prompt.question(`${question} [y/N] `, { signal });
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    prompt.close();
  }
}

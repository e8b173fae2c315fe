import { createInterface } from 'node:readline';
import { Failure } from '../../src/base/errors.ts';
import { Interruption } from './interruption.ts';
import { enterRaw } from './raw-mode.ts';
import { wrapped, type Io } from '../output/output.ts';

/** Asks on the terminal; without one, `--yes` is required. Only an explicit yes counts. */
export async function confirm(
  question: string,
  { stdin, stderr }: Io,
  signal: AbortSignal,
): Promise<boolean> {
  if (!stdin.isTTY) {
    throw new Failure('missing_required_parameter', `${question} Add --yes to do it without a terminal.`);
  }
  const answer = await ask(`${question} [y/N] `, { stdin, stderr }, signal);
  return /^y(es)?$/i.test((answer ?? '').trim());
}

/**
 * Asks on a terminal about something that was wanted anyway: Enter means yes; Ctrl-C and the end of the input mean
 * no.
 */
export async function agree(
  question: string,
  { stdin, stderr }: Pick<Io, 'stdin' | 'stderr'>,
  signal: AbortSignal,
): Promise<boolean> {
  const answer = await ask(`${question} [Y/n] `, { stdin, stderr }, signal).catch((error: unknown) => {
    if (signal.aborted || !(error instanceof Interruption)) throw error;
    return undefined;
  });
  if (answer === undefined) stderr.write('\n');
  return answer !== undefined && isAgreed(answer);
}

export const isAgreed = (answer: string): boolean => /^(y(es)?)?$/i.test(answer.trim());

const INDENT = ' '.repeat(5);

/** Asks for one of a few names. An empty answer selects the first. */
export async function choose<Name extends string>(
  question: string,
  choices: { readonly [Each in Name]?: string },
  { stdin, stderr }: Pick<Io, 'stdin' | 'stderr'>,
  signal: AbortSignal,
): Promise<Name> {
  const names = Object.keys(choices) as Name[];
  if (!stdin.isTTY) {
    throw new Failure(
      'missing_required_parameter',
      `${question} Without a terminal, answer with an option or --yes.`,
    );
  }
  stderr.write(`${wrapped(question, stderr)}\n`);
  names.forEach((name, index) =>
    stderr.write(`  ${index + 1}  ${wrapped(`${name}: ${choices[name]}`, stderr, INDENT)}\n`),
  );
  for (;;) {
    const typed = await ask(`1 to ${names.length}, Enter for 1: `, { stdin, stderr }, signal);
    if (typed === undefined) throw new Interruption('end of input', 130);
    const answer = typed.trim();
    const chosen =
      answer === '' ? names[0] : (names.find((name) => name === answer) ?? names[Number(answer) - 1]);
    if (chosen !== undefined) return chosen;
  }
}

/**
 * Input up to Enter; undefined at the end of the input. What was typed before answers no question that was not read
 * yet, and is left to whoever reads next.
 */
async function ask(
  question: string,
  { stdin, stderr }: Pick<Io, 'stdin' | 'stderr'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const ahead = await enterRaw(stdin);
  const prompt = createInterface({ input: stdin, output: stderr, terminal: true });
  try {
    signal.throwIfAborted();
    return await new Promise<string | undefined>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
      prompt.on('SIGINT', () => reject(new Interruption('SIGINT', 130)));
      prompt.on('close', () => resolve(undefined));
      prompt.question(wrapped(question, stderr), resolve);
    });
  } finally {
    prompt.close();
    if (ahead.length > 0) stdin.unshift(ahead);
  }
}

import { createInterface } from 'node:readline';
import { wrapped, type Io } from '../../output/output.ts';

export type Answer = 'yes' | 'no' | 'always';

export const RUN_IT = 'Run it? y, n or always [n] ';

/** Asks whether a tool may run. Without a terminal nobody can answer, which counts as no. */
export async function askForTool(question: string, io: Io, signal: AbortSignal): Promise<Answer> {
  const { stdin, stderr } = io;
  if (!stdin.isTTY) {
    stderr.write(
      `${question}\nnote: it was not run, because there is nobody to ask. See askd mcp allow --help\n`,
    );
    return 'no';
  }
  stderr.write(`${wrapped(question, stderr)}\n`);
  return toAnswer(await readAnswer(RUN_IT, io, signal));
}

/** Only an explicit yes counts. */
export function toAnswer(text: string): Answer {
  const typed = text.trim().toLowerCase();
  if (typed === 'always' || typed === 'a') return 'always';
  return typed === 'y' || typed === 'yes' ? 'yes' : 'no';
}

async function readAnswer(prompt: string, { stdin, stderr }: Io, signal: AbortSignal): Promise<string> {
  const reader = createInterface({ input: stdin, output: stderr, terminal: true });
  const abort = () => reader.close();
  signal.addEventListener('abort', abort);
  try {
    return await new Promise<string>((resolve) => {
      reader.on('SIGINT', () => resolve(''));
      reader.on('close', () => resolve(''));
      reader.question(prompt, resolve);
    });
  } finally {
    signal.removeEventListener('abort', abort);
    reader.close();
  }
}

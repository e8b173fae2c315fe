import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { Interruption } from './interruption.ts';
import type { Io } from '../output/output.ts';

/** A line typed on the terminal without being shown. */
export async function askHidden(
  question: string,
  { stdin, stderr }: Pick<Io, 'stdin' | 'stderr'>,
  signal: AbortSignal,
): Promise<string> {
  const nowhere = new Writable({ write: (_part, _encoding, done) => done() });
  const prompt = createInterface({ input: stdin, output: nowhere, terminal: true });
  stderr.write(question);
  try {
    return await new Promise<string>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      prompt.on('SIGINT', () => reject(new Interruption('SIGINT', 130)));
      prompt.on('close', () => reject(new Interruption('end of input', 130)));
      prompt.on('line', resolve);
    });
  } finally {
    prompt.close();
    stderr.write('\n');
  }
}

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { isFailureCode, Failure } from '../../../src/base/errors.ts';
import { entryFile } from '../../../src/base/paths.ts';

export type BuildLine = { step: string; percent?: number; code?: string; message?: string };

export type BuildDone = {
  folder: string;
  version: string;
  gpu: string;
  openmp: boolean;
  /** Whether there was a prebuilt engine to compare with. */
  compared: boolean;
};

type Building = {
  order: { engines: string; jobs: number; gpu?: string };
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  onLine: (line: BuildLine) => void;
};

/** In a child process, since it loads what it has compiled. */
export async function buildEngine({ order, env, signal, onLine }: Building): Promise<BuildDone> {
  const child = spawn(process.execPath, [entryFile('models/build-llama.js'), JSON.stringify(order)], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  let last: BuildLine | undefined;
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve());
  });
  try {
    for await (const text of createInterface({ input: child.stdout })) {
      last = JSON.parse(text) as BuildLine;
      onLine(last);
    }
    await ended;
  } finally {
    signal.removeEventListener('abort', stop);
  }
  signal.throwIfAborted();
  if (last?.step === 'done') return last as unknown as BuildDone;
  const { code = 'internal_error', message = 'The build ended without an error message.' } = last ?? {};
  throw new Failure(isFailureCode(code) ? code : 'internal_error', message);
}

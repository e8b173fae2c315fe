import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { runnerEnvironment } from '../../../src/runtime/threads.ts';
import type { Side } from './sides.ts';
import type { BatchLimits, Timing } from './timing.ts';

export type ToChild =
  /** Without `threads` the child uses the library's defaults, with it our engine. */
  | { type: 'open'; file: string; threads?: number }
  | { type: 'batch'; prompts: readonly string[]; limits: BatchLimits };

export type FromChild =
  | { type: 'opened'; threads: number }
  | { type: 'timings'; timings: Timing[] }
  | { type: 'failed'; message: string };

const CHILD = fileURLToPath(new URL('./in-process-child.js', import.meta.url));

export async function startDefaults(file: string): Promise<Side> {
  return startChild({ type: 'open', file }, {});
}

/** `threads` is the daemon's own choice, or the comparison would be one of thread counts. */
export async function startEngine(file: string, threads: number): Promise<Side> {
  return startChild({ type: 'open', file, threads }, runnerEnvironment('llama'));
}

async function startChild(open: ToChild, environment: Record<string, string>): Promise<Side> {
  const env = { ...process.env, UV_THREADPOOL_SIZE: undefined, ...environment };
  // The library may talk on stdout, which is for results.
  const child = fork(CHILD, { env, stdio: ['ignore', 2, 2, 'ipc'] });
  const exited = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`A measured process ended early: ${String(code ?? signal)}`);
  });
  exited.catch(() => undefined);

  /** One question at a time; a process that dies instead of answering is an error, not a wait. */
  const ask = async (message: ToChild): Promise<FromChild> => {
    const answered = once(child, 'message') as Promise<[FromChild]>;
    child.send(message);
    const [answer] = await Promise.race([answered, exited]);
    return answer;
  };
  const dispose = async () => {
    child.kill('SIGKILL');
    await exited.catch(() => undefined);
  };
  try {
    const { threads } = expectType('opened', await ask(open));
    return {
      threads,
      runBatch: async (prompts, limits) =>
        expectType('timings', await ask({ type: 'batch', prompts, limits })).timings,
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

function expectType<T extends FromChild['type']>(
  type: T,
  answer: FromChild,
): Extract<FromChild, { type: T }> {
  if (answer.type === type) return answer as Extract<FromChild, { type: T }>;
  throw new Error(answer.type === 'failed' ? answer.message : `Expected ${type}, got ${answer.type}`);
}

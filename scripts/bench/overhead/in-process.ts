import { fileURLToPath } from 'node:url';
import { runnerEnvironment } from '../../../src/runtime/runner-environment.ts';
import { forkChild } from './child.ts';
import type { Side } from './sides.ts';
import type { BatchLimits, Timing } from './timing.ts';

export type ToChild =
  /** Without `threads`, the child uses the library's defaults; with it, our engine. */
  | { type: 'open'; file: string; threads?: number }
  | { type: 'batch'; prompts: readonly string[]; limits: BatchLimits };

export type FromChild = { type: 'opened'; threads: number } | { type: 'timings'; timings: Timing[] };

const CHILD = fileURLToPath(new URL('./in-process-child.js', import.meta.url));

export async function startDefaults(file: string): Promise<Side> {
  return startChild({ type: 'open', file }, {});
}

/** `threads` is the daemon's own choice; otherwise the comparison would be one of thread counts. */
export async function startEngine(file: string, threads: number): Promise<Side> {
  return startChild({ type: 'open', file, threads }, runnerEnvironment('llama'));
}

async function startChild(open: ToChild, environment: Record<string, string>): Promise<Side> {
  const child = forkChild<ToChild, FromChild>(CHILD, environment);
  try {
    const { threads } = await child.ask('opened', open);
    return {
      threads,
      runBatch: async (prompts, limits) =>
        (await child.ask('timings', { type: 'batch', prompts, limits })).timings,
      [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
    };
  } catch (error) {
    await child[Symbol.asyncDispose]();
    throw error;
  }
}

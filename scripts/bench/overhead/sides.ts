import type { BatchLimits, Timing } from './timing.ts';

/**
 * The three ways to the same model that are compared. `defaults` is node-llama-cpp as its guide uses it, in a
 * separate process. `engine` is our engine in a separate process, without daemon and HTTP. `daemon` is what a client
 * of the daemon sees.
 */
export const SIDE_NAMES = ['defaults', 'engine', 'daemon'] as const;
export type SideName = (typeof SIDE_NAMES)[number];

export type Side = {
  /** Matters more than anything else on a machine whose cores are shared. */
  threads: number;
  runBatch(prompts: readonly string[], limits: BatchLimits): Promise<Timing[]>;
  [Symbol.asyncDispose](): Promise<void>;
};

export type Sides = Record<SideName, Side>;

/** The same for every side, so that only the way to the model differs. */
export const STREAMS_MAX = 8;
export const CONTEXT_TOKENS = 2048;

import type { LlamaModel } from 'node-llama-cpp';

export type Lanes = { count: number; threads: number };

export type EncoderParts = {
  model: LlamaModel;
  contextTokens: number;
  threads: number;
  lanes: Lanes;
  signal: AbortSignal;
  beforeItem: () => void;
};

/** The longest text that is read beside others. A longer one keeps all threads busy by itself. */
export const LANE_TOKENS = 512;

/** Each takes memory for its work, so there are not as many as a large machine has cores. */
const LANES_MAX = 4;

/**
 * How many short texts are read side by side: threads that share one text wait for each other after every operation, those
 * that have a text each never do. A card reads one text after the other.
 */
export function chooseLanes(cores: number, threads: number, isOnCard: boolean): Lanes {
  const count = isOnCard ? 1 : Math.min(LANES_MAX, Math.max(1, cores));
  return { count, threads: Math.max(1, Math.floor(threads / count)) };
}

type ContextOptions = { contextSize: number; batchSize: number; threads: number; createSignal: AbortSignal };

/** One context for a text that has the model to itself, and one for each lane. */
export async function openLanes<Context>(
  { contextTokens, threads, lanes, signal }: EncoderParts,
  open: (options: ContextOptions) => Promise<Context>,
) {
  // An encoder reads a text in one decode, so its batch is as long as its context, which must be longer than any text.
  const openFor = (tokens: number, threads: number) =>
    open({ contextSize: tokens + 1, batchSize: tokens + 1, threads, createSignal: signal });
  const whole = await openFor(contextTokens, threads);
  const contexts: Context[] = [];
  const wanted = lanes.count === 1 ? 0 : lanes.count;
  for (let lane = 0; lane < wanted; lane++) {
    contexts.push(await openFor(Math.min(contextTokens, LANE_TOKENS), lanes.threads));
  }
  return { whole, contextOf: (lane?: number) => (lane === undefined ? whole : (contexts[lane] ?? whole)) };
}

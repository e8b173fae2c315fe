import type { ItemEvent } from '../../src/runtime/engine.ts';
import type { FairQueue } from './fair-queue.ts';

/** A batch takes no longer than one text of this length, so aborts and other requests wait no longer. */
const BATCH_TOKENS = 512;

export type Batches<Work, Result> = {
  /** Of each text, in tokens. */
  lengths: readonly number[];
  /** Whether texts of the same length may be evaluated together. */
  isBatched: boolean;
  /** Evaluates the texts with these indices; cannot be interrupted. */
  work: (indices: readonly number[]) => Promise<readonly Work[]>;
  finish: (work: Work, index: number) => Result;
};

/** Runs the texts of one request, several in a batch if they may be, and yields each when its batch is done. */
export async function* runBatches<Work, Result>(
  turns: FairQueue,
  { lengths, isBatched, work, finish }: Batches<Work, Result>,
  signal: AbortSignal,
): AsyncGenerator<ItemEvent<Result>> {
  const batches = batchesOf(lengths, isBatched ? BATCH_TOKENS : 0);
  const items = batches.map((indices) => ({
    promptTokens: indices.reduce((sum, index) => sum + (lengths[index] ?? 0), 0),
    work: async () => {
      const done = await work(indices);
      return indices.map((index, place) => ({ index, work: done[place] as Work }));
    },
  }));
  for await (const event of turns.run(items, signal)) {
    if (event.type !== 'item') continue;
    for (const { index, work } of event.result) {
      yield { type: 'item', index, promptTokens: lengths[index] ?? 0, result: finish(work, index) };
    }
  }
}

/**
 * Texts of the same length, so that nothing is padded. They depend on nothing but the request, so the same request
 * always has the same batches.
 */
export function batchesOf(lengths: readonly number[], tokensMax: number): number[][] {
  const batches: number[][] = [];
  const open = new Map<number, number[]>();
  for (const [index, length] of lengths.entries()) {
    const batch = open.get(length);
    if (batch && (batch.length + 1) * length <= tokensMax) {
      batch.push(index);
      continue;
    }
    const next = [index];
    batches.push(next);
    open.set(length, next);
  }
  return batches;
}

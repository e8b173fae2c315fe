import type { ItemEvent } from '../../src/runtime/engine.ts';
import type { FairQueue } from './fair-queue.ts';

/** A batch takes no longer than one text of this length, so aborts and other requests wait no longer. */
export const BATCH_TOKENS = 512;

/** Which texts may be evaluated together. */
export type Batching = {
  /** Of all texts of a batch together; a longer text is evaluated alone. */
  tokensMax: number;
  textsMax: number;
  /** Where shorter ones would be padded. */
  isSameLength: boolean;
};

const ALONE: Batching = { tokensMax: 0, textsMax: 1, isSameLength: true };

export type Batches<Work, Result> = {
  /** Of each text, in tokens. */
  lengths: readonly number[];
  /** Each text is evaluated alone if absent. */
  batching?: Batching | undefined;
  /** Evaluates the texts with these indices; cannot be interrupted. */
  work: (indices: readonly number[]) => Promise<readonly Work[]>;
  finish: (work: Work, index: number) => Result;
};

/** Runs the texts of one request, several in a batch if they may be, and yields each when its batch is done. */
export async function* runBatches<Work, Result>(
  turns: FairQueue,
  { lengths, batching = ALONE, work, finish }: Batches<Work, Result>,
  signal: AbortSignal,
): AsyncGenerator<ItemEvent<Result>> {
  const batches = batchesOf(lengths, batching);
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
 * In the order of the request; texts of any length are sorted by length, so that short ones share a batch. They depend
 * on nothing but the request, so the same request always has the same batches.
 */
export function batchesOf(
  lengths: readonly number[],
  { tokensMax, textsMax, isSameLength }: Batching,
): number[][] {
  const texts = lengths.map((length, index) => ({ length, index }));
  if (!isSameLength) texts.sort((a, b) => a.length - b.length);
  const batches: number[][] = [];
  const open = new Map<number, { batch: number[]; tokens: number }>();
  for (const { length, index } of texts) {
    const kind = isSameLength ? length : 0;
    const last = open.get(kind);
    if (last && last.batch.length < textsMax && last.tokens + length <= tokensMax) {
      last.batch.push(index);
      last.tokens += length;
      continue;
    }
    const batch = [index];
    batches.push(batch);
    open.set(kind, { batch, tokens: length });
  }
  return batches;
}

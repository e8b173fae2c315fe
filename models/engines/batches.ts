import type { ItemEvent } from '../../src/runtime/engine.ts';
import type { FairQueue } from './fair-queue.ts';

/** A batch takes no longer than one text of this length, so aborts and other requests wait no longer. */
export const BATCH_TOKENS = 512;

/** Which texts may be evaluated together. */
export type Batching = {
  /** Of a batch, padding included; a longer text is evaluated alone. */
  tokensMax: number;
  textsMax: number;
  /** How many tokens a text may be padded by; undefined where texts of different lengths need no padding. */
  paddingMax: number | undefined;
};

const ALONE: Batching = { tokensMax: 0, textsMax: 1, paddingMax: 0 };

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
 * Texts of about the same length share a batch, the shortest first. They depend on nothing but the request, so the same
 * request always has the same batches.
 */
export function batchesOf(lengths: readonly number[], batching: Batching): number[][] {
  const texts = lengths.map((length, index) => ({ length, index }));
  if (batching.textsMax > 1) texts.sort((a, b) => a.length - b.length);
  const batches: { lengths: number[]; indices: number[] }[] = [];
  for (const { length, index } of texts) {
    const last = batches.at(-1);
    if (last && fits([...last.lengths, length], batching)) {
      last.lengths.push(length);
      last.indices.push(index);
    } else batches.push({ lengths: [length], indices: [index] });
  }
  return batches.map(({ indices }) => indices);
}

/** Of texts in the order of their lengths. */
function fits(lengths: readonly number[], { tokensMax, textsMax, paddingMax }: Batching): boolean {
  const [shortest = 0, longest = 0] = [lengths[0], lengths.at(-1)];
  const tokens =
    paddingMax === undefined ? lengths.reduce((sum, each) => sum + each, 0) : longest * lengths.length;
  return lengths.length <= textsMax && tokens <= tokensMax && longest - shortest <= (paddingMax ?? Infinity);
}

import { sum, type Bytes } from './memory.ts';
import { isServing, type PoolEntry } from './pool-entry.ts';
import type { Runner } from './runner.ts';

export type PromptCacheSharesOptions = {
  entries: () => readonly PoolEntry[];
  /** The memory that all models may use. */
  budget: () => Bytes;
  /** How much of it all prompt caches together may take. */
  promptCacheBytes: number;
};

/** Prompt caches use the memory that models leave, in equal shares, and give it back before a model is loaded. */
export function createPromptCacheShares({ entries, budget, promptCacheBytes }: PromptCacheSharesOptions) {
  const limits = new WeakMap<Runner, number>();
  const limitOf = (runner: Runner) => limits.get(runner) ?? 0;
  /** Settles when all have confirmed the lower limits. */
  let shrinking: Promise<void> | undefined;

  async function limit(runner: Runner, bytes: number): Promise<void> {
    limits.set(runner, bytes);
    // One that has died has freed everything.
    await runner.limitPromptCache?.(bytes, new AbortController().signal).catch(() => undefined);
  }

  function shrink(runners: readonly Runner[], bytes: number): Promise<void> {
    const limited = [shrinking ?? Promise.resolve(), ...runners.map((runner) => limit(runner, bytes))];
    const done: Promise<void> = Promise.all(limited).then(() => {
      if (shrinking !== done) return undefined;
      shrinking = undefined;
      // Freed memory may go to the others, unless the shares have changed by now.
      return share();
    });
    shrinking = done;
    return done;
  }

  /** Settles when no cache holds more than its share; undefined if there is nothing to wait for. */
  function share(): Promise<void> | undefined {
    const free = budget().ram - sum(entries().map(({ bytes }) => bytes)).ram;
    const runners = entries().flatMap((entry) =>
      isServing(entry) && entry.runner?.limitPromptCache ? [entry.runner] : [],
    );
    const bytes = shareOf({ free, promptCacheBytes, count: runners.length });
    const tooLarge = runners.filter((runner) => limitOf(runner) > bytes);
    if (tooLarge.length > 0) return shrink(tooLarge, bytes);
    if (shrinking) return shrinking;
    for (const runner of runners.filter((one) => limitOf(one) < bytes)) void limit(runner, bytes);
    return undefined;
  }

  return share;
}

type Sharing = { free: number; promptCacheBytes: number; count: number };

/** The share of each of this many caches. */
export function shareOf({ free, promptCacheBytes, count }: Sharing): number {
  return count === 0 ? 0 : Math.floor(Math.max(0, Math.min(free, promptCacheBytes)) / count);
}

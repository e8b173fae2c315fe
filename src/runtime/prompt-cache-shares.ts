import type { Bytes } from './memory.ts';
import { sum } from './memory.ts';
import { isServing, type PoolEntry } from './pool-entry.ts';
import type { Runner } from './runner.ts';

export type PromptCacheSharesOptions = {
  entries: () => readonly PoolEntry[];
  /** The memory that all models may use. */
  budget: () => Bytes;
  /** Of it, what all prompt caches may take together. */
  promptCacheBytes: number;
};

/** Prompt caches use what models leave of the memory, in equal shares, and give it back before a model is loaded. */
export function createPromptCacheShares({ entries, budget, promptCacheBytes }: PromptCacheSharesOptions) {
  const limits = new WeakMap<Runner, number>();

  async function limit(runner: Runner, bytes: number): Promise<void> {
    limits.set(runner, bytes);
    // One that has died has given everything back.
    await runner.limitPromptCache?.(bytes, new AbortController().signal).catch(() => undefined);
  }

  /** Settles when no cache holds more than its share. */
  return async function share(): Promise<void> {
    const free = budget().ram - sum(entries().map(({ bytes }) => bytes)).ram;
    const runners = entries().flatMap((entry) =>
      isServing(entry) && entry.runner?.limitPromptCache ? [entry.runner] : [],
    );
    const bytes = shareOf({ free, promptCacheBytes, count: runners.length });
    const isMore = (runner: Runner) => bytes > (limits.get(runner) ?? 0);
    const changed = runners.filter((runner) => bytes !== (limits.get(runner) ?? 0));
    await Promise.all(changed.filter((runner) => !isMore(runner)).map((runner) => limit(runner, bytes)));
    await Promise.all(changed.filter(isMore).map((runner) => limit(runner, bytes)));
  };
}

type Sharing = { free: number; promptCacheBytes: number; count: number };

/** What each of so many caches may take. */
export function shareOf({ free, promptCacheBytes, count }: Sharing): number {
  return count === 0 ? 0 : Math.floor(Math.max(0, Math.min(free, promptCacheBytes)) / count);
}

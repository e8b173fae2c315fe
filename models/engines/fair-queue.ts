import type { ItemEvent } from '../../src/runtime/engine.ts';
import { createEventQueue, type EventQueue } from './event-queue.ts';

/** A task that cannot be interrupted. */
export type FairQueueItem<Result> = { promptTokens: number; work: () => Promise<Result> };

export type FairQueue = {
  /** Yields each item when it is done. An abort takes effect after the current item. */
  run<Result>(
    items: readonly FairQueueItem<Result>[],
    signal: AbortSignal,
  ): AsyncGenerator<ItemEvent<Result>>;
  /** Ends everything after the current item. */
  close(): Promise<void>;
};

type Job = {
  items: readonly FairQueueItem<unknown>[];
  next: number;
  signal: AbortSignal;
  /** Whether the consumer has left. */
  isLeft: boolean;
  events: EventQueue<ItemEvent<unknown>>;
};

/** After this many tokens, a request with many long items yields to others. */
const TURN_TOKENS = 2048;

/**
 * Runs the items of all requests one at a time, so that results never depend on neighbours. Requests take turns by
 * tokens, so that a hundred long texts do not block one short query.
 */
export function createFairQueue({ turnTokens = TURN_TOKENS }: { turnTokens?: number } = {}): FairQueue {
  const line: Job[] = [];
  let closing = false;
  let loop: Promise<void> | undefined;

  async function runAll(): Promise<void> {
    for (let job = line.shift(); job; job = line.shift()) {
      const isDone = await takeTurn(job);
      if (isDone) job.events.end();
      else line.push(job);
    }
    loop = undefined;
  }

  async function takeTurn(job: Job): Promise<boolean> {
    for (let tokens = 0; tokens < turnTokens;) {
      // Messages, and so aborts, are only processed between two items.
      await new Promise((resolve) => setImmediate(resolve));
      const item = job.items[job.next];
      if (!item || closing || job.isLeft || job.signal.aborted) return true;
      try {
        const result = await item.work();
        const { promptTokens } = item;
        job.events.push({ type: 'item', index: job.next, promptTokens, result });
      } catch (error) {
        job.events.fail(error);
        return true;
      }
      job.next += 1;
      if (job.next === job.items.length) return true;
      tokens += item.promptTokens;
    }
    return false;
  }

  return {
    async *run<Result>(items: readonly FairQueueItem<Result>[], signal: AbortSignal) {
      const events = createEventQueue<ItemEvent<unknown>>();
      const job: Job = { items, next: 0, signal, isLeft: false, events };
      line.push(job);
      loop ??= runAll();
      try {
        yield* events as AsyncIterable<ItemEvent<Result>>;
      } finally {
        job.isLeft = true;
      }
    },
    async close() {
      closing = true;
      await loop;
    },
  };
}

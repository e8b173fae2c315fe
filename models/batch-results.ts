import type { ItemEvent } from '../src/runtime/engine.ts';

/**
 * How long results may be held to be sent together. Token counts, on which the credit hold depends, are held less
 * long.
 */
export type HeldMs = { results: number; count: number };

/** Some engines block this thread's timers during a prefill, so the counts of long texts are sent at once. */
const WAITING_TOKENS_MAX = 128;

/**
 * Batches results that are only useful together. Every message wakes the daemon, and if the model's threads occupy
 * all cores and synchronize after each step, a daemon that takes one core for a moment delays all of them. A short
 * request finishes before its batch is due and is sent in one final message.
 */
export function createBatcher<Result>(send: (events: ItemEvent<Result>[]) => void, heldMs: HeldMs) {
  const held: ItemEvent<Result>[] = [];
  let sentMs = performance.now();
  let timer: NodeJS.Timeout | undefined;

  function take(): ItemEvent<Result>[] {
    clearTimeout(timer);
    timer = undefined;
    sentMs = performance.now();
    return held.splice(0);
  }

  function flush(): void {
    const events = take();
    if (events.length > 0) send(events);
  }

  function waitOf({ promptTokens }: ItemEvent<Result>): number {
    return promptTokens > WAITING_TOKENS_MAX ? 0 : heldMs.count;
  }

  return {
    add(event: ItemEvent<Result>): void {
      held.push(event);
      const mostMs = event.type === 'item' ? heldMs.results : waitOf(event);
      if (performance.now() - sentMs >= mostMs) return flush();
      // The next item may take long.
      timer ??= setTimeout(flush, mostMs);
    },
    /** The held results, for the message that ends the request. */
    take,
    flush,
  };
}

import type { ItemEvent } from '../src/runtime/engine.ts';

/** Results of a request that wait for each other. What a request counts, and then holds credits for, waits less. */
export type HeldMs = { results: number; count: number };

/** Some engines keep this thread from its timers while they read a text, so the count of long ones does not wait at all. */
const WAITING_TOKENS_MAX = 128;

/**
 * Holds back what is of use only together. Every message wakes the daemon, and where the model's threads have all cores,
 * which wait for each other after each step, a daemon that takes one of them for a moment holds up all. A short request
 * is done before anything of it is due, and leaves whole, in its last message.
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
      // The next item may be long in coming.
      timer ??= setTimeout(flush, mostMs);
    },
    /** What is held, for the message that ends the request. */
    take,
    flush,
  };
}

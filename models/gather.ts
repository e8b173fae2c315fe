import type { ItemEvent } from '../src/runtime/engine.ts';

/** Long enough for many short texts, short enough that the daemon knows how far a long request is. */
const HELD_MS_MAX = 200;

/**
 * Holds back results that are of use only together. Every message wakes the daemon, and where the model's threads have all
 * cores, which wait for each other after each step, a daemon that takes one of them for a moment holds up all.
 */
export function createGatherer<Result>(
  send: (events: ItemEvent<Result>[]) => void,
  now: () => number = () => performance.now(),
) {
  let held: ItemEvent<Result>[] = [];
  let sentMs = now();

  function flush(): void {
    sentMs = now();
    if (held.length === 0) return;
    const events = held;
    held = [];
    send(events);
  }

  return {
    add(event: ItemEvent<Result>): void {
      held.push(event);
      if (event.type !== 'item' || now() - sentMs >= HELD_MS_MAX) flush();
    },
    flush,
  };
}

/** In bursts, how many tokens are kept back, since the next burst may be late. */
const RESERVE = 1;

export type TokenPacing<Item> = {
  push: (item: Item) => void;
  /**
   * Spreads the queued tokens, and as many more as will come at once, over this many milliseconds. With 0, nothing
   * waits.
   */
  pace: (ms: number, coming: number) => void;
};

/** Releases tokens that are made in bursts, evenly and in order. */
export function createTokenPacing<Item>(show: (item: Item) => void): TokenPacing<Item> {
  const waiting: Item[] = [];
  let intervalMs = 0;
  let shownAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;

  const waitMs = () => shownAt + intervalMs - performance.now();

  function showDue(): void {
    clearTimeout(timer);
    timer = undefined;
    while (waiting.length > 0 && waitMs() <= 0) {
      shownAt = performance.now();
      show(waiting.shift() as Item);
    }
    if (waiting.length > 0) timer = setTimeout(showDue, waitMs());
  }

  return {
    push(item) {
      waiting.push(item);
      if (!timer) showDue();
    },
    pace(ms, coming) {
      intervalMs = ((1 + RESERVE) * ms) / (waiting.length + coming);
      showDue();
    },
  };
}

import type { Exchange } from './exchange.ts';

/** An exchange with the key that equal requests share, and when it started and ended. */
export type Timed = Exchange & { key: string; startMs: number; endMs: number };

/**
 * Ordered by start time. Exchanges that overlapped are ordered by their requests, since their order was chance. If an
 * earlier recording has the same requests, its order is kept.
 */
export function inStableOrder(timed: readonly Timed[], earlier: readonly string[]): Exchange[] {
  const places = new Map<string, number[]>();
  earlier.forEach((key, place) => places.set(key, [...(places.get(key) ?? []), place]));
  const placed = groupsOf(timed)
    .flat()
    .map((exchange) => ({ exchange, place: places.get(exchange.key)?.shift() ?? Infinity }));
  return placed
    .sort((a, b) => (a.place === b.place ? 0 : a.place - b.place))
    .map(({ exchange: { request, response } }) => ({ request, response }));
}

function groupsOf(timed: readonly Timed[]): Timed[][] {
  const groups: Timed[][] = [];
  let endMs = -Infinity;
  for (const exchange of timed.toSorted((a, b) => a.startMs - b.startMs)) {
    if (exchange.startMs < endMs) groups.at(-1)?.push(exchange);
    else groups.push([exchange]);
    endMs = Math.max(endMs, exchange.endMs);
  }
  return groups.map((group) => group.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)));
}

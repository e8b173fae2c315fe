/** The same numbers for the same seed. */
export function seededRandom(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    between: (min: number, max: number) => min + below(max - min + 1),
    pick: <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item,
  };
}

export type Random = ReturnType<typeof seededRandom>;

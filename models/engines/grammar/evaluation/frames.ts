import type { GbnfItem } from '../gbnf-reader.ts';

type Items = readonly GbnfItem[];

/** What must follow, innermost first: this item of a sequence after some repetitions of it, then what is below. */
export type Frame = {
  id: number;
  items: Items;
  index: number;
  /** Repetitions so far, as far as they matter. */
  count: number;
  below: Frame | undefined;
  depth: number;
};

/** Equal frames are the same object, so that sets of them can be compared. */
export function createFrames() {
  const known = new Map<Frame | undefined, Map<Items, Map<number, Frame>>>();
  let made = 0;

  /** A finished sequence needs no frame: what is below follows. */
  function frame(items: Items, index: number, count: number, below: Frame | undefined): Frame | undefined {
    if (index >= items.length) return below;
    const byItems = entry(known, below, () => new Map<Items, Map<number, Frame>>());
    const byPlace = entry(byItems, items, () => new Map<number, Frame>());
    return entry(byPlace, count * items.length + index, () => {
      const depth = (below?.depth ?? 0) + 1;
      return { id: made++, items, index, count, below, depth };
    });
  }

  return { frame };
}

function entry<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const before = map.get(key);
  if (before !== undefined) return before;
  const value = make();
  map.set(key, value);
  return value;
}

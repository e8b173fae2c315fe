export type IdleSlot = {
  /** Tokens that the slot's sequence holds. */
  heldTokens: number;
  /** How many of them, from the first on, the new prompt begins with. */
  sharedTokens: number;
  /** Grows with every use of any slot; 0 when never used. */
  lastUse: number;
};

/**
 * Which idle slot a prompt should take. It continues the slot it shares most with, but only where at least half of what
 * is held survives: a short common beginning (a template, a system prompt) is no reason to drop somebody's long
 * conversation. Otherwise it takes an empty slot, and else the one that nobody used for longest.
 */
export function chooseSlot<Slot extends IdleSlot>(slots: readonly Slot[]): Slot | undefined {
  const continued = slots.filter((slot) => slot.sharedTokens > 0 && slot.sharedTokens * 2 >= slot.heldTokens);
  return (
    best(continued, (a, b) => b.sharedTokens - a.sharedTokens || a.lastUse - b.lastUse) ??
    best(slots, (a, b) => Number(a.heldTokens > 0) - Number(b.heldTokens > 0) || a.lastUse - b.lastUse)
  );
}

function best<Item>(items: readonly Item[], compare: (a: Item, b: Item) => number): Item | undefined {
  return items.toSorted(compare)[0];
}

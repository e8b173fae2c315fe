export type IdleSlot = {
  /** Tokens that the slot's sequence holds. */
  heldTokens: number;
  /** How many of them, from the first on, the new prompt begins with. */
  sharedTokens: number;
  /** Grows with every use of any slot; 0 when never used. */
  lastUse: number;
  /** Slots right before and after this one that are at work. */
  busyNeighbours: number;
};

/**
 * Which idle slot a prompt should take. It continues the slot it shares most with, but only where at least half of what
 * is held survives: a short common beginning (a template, a system prompt) is no reason to drop somebody's long
 * conversation. Otherwise it takes an empty slot, and else one that was not used for long. Among those, one beside a
 * busy slot: llama.cpp reads the weights once for neighbours, and again wherever an idle sequence lies between.
 */
export function chooseSlot<Slot extends IdleSlot>(slots: readonly Slot[]): Slot | undefined {
  const continued = slots.filter((slot) => slot.sharedTokens > 0 && slot.sharedTokens * 2 >= slot.heldTokens);
  if (continued.length > 0)
    return best(continued, (a, b) => b.sharedTokens - a.sharedTokens || a.lastUse - b.lastUse);
  const empty = slots.filter((slot) => slot.heldTokens === 0);
  const spare = empty.length > 0 ? empty : olderHalf(slots);
  return best(spare, (a, b) => b.busyNeighbours - a.busyNeighbours || a.lastUse - b.lastUse);
}

function olderHalf<Slot extends IdleSlot>(slots: readonly Slot[]): Slot[] {
  return slots.toSorted((a, b) => a.lastUse - b.lastUse).slice(0, Math.ceil(slots.length / 2));
}

function best<Item>(items: readonly Item[], compare: (a: Item, b: Item) => number): Item | undefined {
  return items.toSorted(compare)[0];
}

/** A slot, as seen by a prompt that looks for one. Tokens are counted from the first one on. */
export type SlotView = {
  isBusy: boolean;
  /** Tokens that the slot's sequence holds. */
  heldTokens: number;
  /** How many of them the new prompt begins with. */
  sharedTokens: number;
  /** How many of them the new prompt will begin with, once the slot has read what it is reading. */
  comingTokens: number;
  /** Grows with every use of any slot; 0 when never used. */
  lastUse: number;
  /** Slots right before and after this one that are at work. */
  busyNeighbours: number;
};

/**
 * llama.cpp decodes neighbours together, and reads all weights again for each token wherever an idle sequence lies between.
 * For an answer of some thirty tokens that takes as long as reading so many.
 */
const APART_TOKENS = 256;

export type SlotChoice<Slot> = {
  slot: Slot;
  /** Whose beginning is to be copied there first, where that is worth it. */
  source: Slot | undefined;
};

/**
 * Where a prompt goes. All is counted in tokens to read: those of the prompt that nobody has read yet, those of another
 * conversation that would be lost, and what a copy costs. So a short common beginning is no reason to drop somebody's
 * long conversation, and a long one is read once, however many begin with it. Where every slot is full of others, one
 * that was not used for long gives way, or a short one beside a busy slot.
 */
export function chooseSlot<Slot extends SlotView>(
  slots: readonly Slot[],
  copyTokens: number,
): SlotChoice<Slot> | undefined {
  const idle = slots.filter(({ isBusy }) => !isBusy);
  const choices = idle.map((slot) => ({ slot, source: sourceFor(slot, slots, copyTokens) }));
  const harmless = choices.filter(({ slot }) => lostBy(slot) <= slot.sharedTokens);
  if (harmless.length > 0) {
    return best(harmless, (a, b) => costOf(a, copyTokens) - costOf(b, copyTokens) || compare(a.slot, b.slot));
  }
  const byAge = choices.toSorted((a, b) => a.slot.lastUse - b.slot.lastUse);
  const older = byAge.slice(0, Math.ceil(byAge.length / 2));
  const short = choices.filter(({ slot }) => slot.busyNeighbours > 0 && lostBy(slot) <= APART_TOKENS);
  return best([...older, ...short], (a, b) => compare(a.slot, b.slot));
}

/** The slot whose beginning saves most, where it saves more than the copy costs. */
export function sourceFor<Slot extends SlotView>(
  slot: Slot,
  slots: readonly Slot[],
  copyTokens: number,
): Slot | undefined {
  const source = best(slots, (a, b) => offerOf(b) - offerOf(a));
  return source && source !== slot && offerOf(source) - slot.sharedTokens > copyTokens ? source : undefined;
}

function offerOf({ sharedTokens, comingTokens }: SlotView): number {
  return Math.max(sharedTokens, comingTokens);
}

function lostBy({ heldTokens, sharedTokens }: SlotView): number {
  return heldTokens - sharedTokens;
}

/** Beside the length of the prompt, which is the same everywhere. */
function costOf<Slot extends SlotView>({ slot, source }: SlotChoice<Slot>, copyTokens: number): number {
  const lost = lostBy(slot);
  // A copy costs so little that a long conversation would be moved about to be beside others, and stand in two slots.
  if (source) return lost + copyTokens - offerOf(source);
  return lost - slot.sharedTokens - APART_TOKENS * slot.busyNeighbours;
}

function compare(a: SlotView, b: SlotView): number {
  return b.busyNeighbours - a.busyNeighbours || a.lastUse - b.lastUse;
}

function best<Item>(items: readonly Item[], order: (a: Item, b: Item) => number): Item | undefined {
  return items.toSorted(order)[0];
}

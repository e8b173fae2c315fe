/** A slot as seen by a prompt that is looking for one. Tokens are counted from the start. */
export type SlotView = {
  isBusy: boolean;
  /** Tokens in the slot's sequence. */
  cachedTokens: number;
  /** How many of them the new prompt shares. */
  sharedTokens: number;
  /** How many it will share once the slot has finished its prefill. */
  comingTokens: number;
  /** Increases with every use of any slot; 0 if never used. */
  lastUse: number;
  /** Busy slots right before and after this one. */
  busyAdjacent: number;
};

/**
 * llama.cpp decodes adjacent sequences together, and reads all weights again wherever an idle sequence lies between.
 * For an answer of about thirty tokens, that costs as much as prefilling this many.
 */
const APART_TOKENS = 256;

export type SlotChoice<Slot> = {
  slot: Slot;
  /** The slot whose prefix is copied first, if that pays off. */
  source: Slot | undefined;
};

/**
 * Picks the slot that minimizes the tokens to prefill: those of the prompt that are not cached anywhere, those of
 * another conversation that would be evicted, and the cost of a copy. So a short shared prefix is no reason to evict
 * a long conversation, and a long one is prefilled once however many requests share it. When every slot is taken, the
 * least recently used gives way, or a short one beside a busy slot.
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
  const short = choices.filter(({ slot }) => slot.busyAdjacent > 0 && lostBy(slot) <= APART_TOKENS);
  return best([...older, ...short], (a, b) => compare(a.slot, b.slot));
}

/** The slot whose prefix saves most, if it saves more than the copy costs. */
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

function lostBy({ cachedTokens, sharedTokens }: SlotView): number {
  return cachedTokens - sharedTokens;
}

/** In addition to the length of the prompt, which is the same for every slot. */
function costOf<Slot extends SlotView>({ slot, source }: SlotChoice<Slot>, copyTokens: number): number {
  const lost = lostBy(slot);
  // Copies are so cheap that a long conversation would be moved around to be next to others, and occupy two slots.
  if (source) return lost + copyTokens - offerOf(source);
  return lost - slot.sharedTokens - APART_TOKENS * slot.busyAdjacent;
}

function compare(a: SlotView, b: SlotView): number {
  return b.busyAdjacent - a.busyAdjacent || a.lastUse - b.lastUse;
}

function best<Item>(items: readonly Item[], order: (a: Item, b: Item) => number): Item | undefined {
  return items.toSorted(order)[0];
}

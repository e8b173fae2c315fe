import type { Bytes } from '../memory.ts';
import type { Device } from './device.ts';

export type ChoosingCards = {
  found: readonly Device[];
  /** Of the whole model. */
  bytes: number;
  /** Free memory of the cards now, and if every model that can be unloaded were. */
  free: Bytes;
  room: Bytes;
  isSpread: boolean;
};

/**
 * The cards of a model whose owner chose none. The one with the most free memory among those that hold it whole,
 * since a second card makes it slower. If none does now, the one where it fits once others are unloaded; otherwise
 * all of them.
 */
export function chooseCards({ found, bytes, free, room, isSpread }: ChoosingCards): readonly Device[] {
  const cards = automaticCards(found);
  if (isSpread || cards.length < 2 || cards.some(({ isShared }) => isShared)) return cards;
  const best = mostRoom(cards, bytes, free) ?? mostRoom(cards, bytes, room);
  return best ? [best] : cards;
}

/** The cards that the engine uses by default, which are of one backend. */
export function automaticCards(found: readonly Device[]): readonly Device[] {
  const automatic = found.filter(({ isAutomatic }) => isAutomatic);
  return automatic.filter(({ backend }) => backend === automatic[0]?.backend);
}

function mostRoom(cards: readonly Device[], bytes: number, { vram }: Bytes): Device | undefined {
  const roomOf = ({ index }: Device) => vram[String(index)] ?? 0;
  return cards
    .filter((card) => roomOf(card) >= bytes)
    .toSorted((a, b) => roomOf(b) - roomOf(a) || a.index - b.index)[0];
}

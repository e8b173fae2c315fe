import type { Bytes } from '../memory.ts';
import type { Device } from './device.ts';

export type ChoosingCards = {
  found: readonly Device[];
  /** Of the whole model. */
  bytes: number;
  /** On the cards now, and if every model that can leave did. */
  free: Bytes;
  room: Bytes;
  isSpread: boolean;
};

/**
 * The cards of a model whose owner chose none: the one with the most free memory among those that hold it whole, since
 * a second card makes it slower. If none does now, the one where it fits once others have left; else all of them.
 */
export function chooseCards({ found, bytes, free, room, isSpread }: ChoosingCards): readonly Device[] {
  const cards = automaticCards(found);
  if (isSpread || cards.length < 2 || cards.some(({ isShared }) => isShared)) return cards;
  const best = mostRoom(cards, bytes, free) ?? mostRoom(cards, bytes, room);
  return best ? [best] : cards;
}

/** Those that the engine takes by itself, which are of one backend. */
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

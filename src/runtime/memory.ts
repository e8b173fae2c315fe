import type { Device } from './devices/device.ts';
import type { ModelManifest } from './manifest.ts';

/** Machine memory, and that of each card by number. A card without its own memory uses the machine's. */
export type Bytes = { ram: number; vram: Readonly<Record<string, number>> };

export const NO_BYTES: Bytes = { ram: 0, vram: {} };

export function plus(a: Bytes, b: Bytes): Bytes {
  const vram = { ...a.vram };
  for (const [card, bytes] of Object.entries(b.vram)) vram[card] = (vram[card] ?? 0) + bytes;
  return { ram: a.ram + b.ram, vram };
}

/** What is left of `a`: nothing of cards that it does not have. */
export function minus(a: Bytes, b: Bytes): Bytes {
  const left = Object.entries(a.vram).map(([card, bytes]) => [card, bytes - (b.vram[card] ?? 0)] as const);
  return { ram: a.ram - b.ram, vram: Object.fromEntries(left) };
}

export function sum(all: readonly Bytes[]): Bytes {
  return all.reduce(plus, NO_BYTES);
}

/** Cards that are not listed have no limit. */
export function fits(need: Bytes, room: Bytes): boolean {
  return need.ram <= room.ram && shortCard(need, room) === undefined;
}

/** The first card with too little room. */
export function shortCard(need: Bytes, room: Bytes): string | undefined {
  return Object.keys(room.vram).find((card) => (need.vram[card] ?? 0) > (room.vram[card] ?? 0));
}

export function totalOf({ ram, vram }: Bytes): number {
  return ram + Object.values(vram).reduce((all, bytes) => all + bytes, 0);
}

/** A card also serves the screen and other programs. */
const VRAM_SHARE = 0.9;

/** How much models may use: as configured for the machine, and nearly all that was free on each card. */
export function budgetOf(ramBytes: number, cards: readonly Device[]): Bytes {
  const own = cards.filter(({ isShared }) => !isShared);
  const vram = own.map(({ index, totalBytes, freeBytes }) => [
    String(index),
    Math.min(Math.floor(totalBytes * VRAM_SHARE), freeBytes),
  ]);
  return { ram: ramBytes, vram: Object.fromEntries(vram) as Record<string, number> };
}

export type Placing = {
  bytes: number;
  /** Needed on the machine, wherever the model is. */
  overheadBytes: number;
  cards: readonly Device[];
  /** How much of it must be on the cards, if its owner decided; otherwise as much as fits. */
  share?: number | undefined;
};

/** In layers, as its owner chose. */
export function shareOf({ placement }: ModelManifest): number | undefined {
  const { gpuLayers, layers } = placement ?? {};
  return gpuLayers === undefined || !layers ? undefined : Math.min(1, gpuLayers / layers);
}

/** Where a model of this size goes. */
export function placeBytes({ bytes, overheadBytes, cards, share }: Placing): Bytes {
  const room = totalOf(budgetOf(0, cards));
  const vram = spread(share === undefined ? Math.min(bytes, room) : Math.ceil(bytes * share), cards);
  const onCards = totalOf({ ram: 0, vram });
  return { ram: Math.max(0, bytes - onCards) + overheadBytes, vram };
}

/** Split over several cards by their memory, as the engine does. */
export function spread(bytes: number, cards: readonly Device[]): Bytes['vram'] {
  const room = budgetOf(0, cards);
  const all = totalOf(room);
  if (all === 0) return {};
  const parts = Object.entries(room.vram).map(([card, part]) => [card, Math.floor((bytes * part) / all)]);
  return Object.fromEntries(parts) as Record<string, number>;
}

/** The longest context that fits, unless one is configured: halved until it fits, never below the minimum. */
export function chooseContext({ tokens, isAutomatic, tokensMin, needOf, room }: ContextChoice): number {
  let chosen = tokens;
  while (isAutomatic && !fits(needOf(chosen), room) && chosen / 2 >= tokensMin)
    chosen = Math.floor(chosen / 2);
  return chosen;
}

export type ContextChoice = {
  tokens: number;
  isAutomatic: boolean;
  tokensMin: number;
  needOf: (tokens: number) => Bytes;
  room: Bytes;
};

import type { GraphicsMemory } from './engine.ts';

/** Machine memory and graphics memory; a card that shares the machine's memory counts as machine memory. */
export type Bytes = { ram: number; vram: number };

export const NO_BYTES: Bytes = { ram: 0, vram: 0 };

export function plus(a: Bytes, b: Bytes): Bytes {
  return { ram: a.ram + b.ram, vram: a.vram + b.vram };
}

export function minus(a: Bytes, b: Bytes): Bytes {
  return { ram: a.ram - b.ram, vram: a.vram - b.vram };
}

export function sum(all: readonly Bytes[]): Bytes {
  return all.reduce(plus, NO_BYTES);
}

export function fits(need: Bytes, room: Bytes): boolean {
  return need.ram <= room.ram && need.vram <= room.vram;
}

export function totalOf({ ram, vram }: Bytes): number {
  return ram + vram;
}

/** A card also serves the screen and other programs. */
const VRAM_SHARE = 0.9;

/** How much models may use: as configured on the machine, nearly all on its cards. An unknown card limits nothing. */
export function budgetOf(ramBytes: number, graphics: GraphicsMemory | undefined): Bytes {
  if (!graphics || graphics.isShared) return { ram: ramBytes, vram: Number.MAX_SAFE_INTEGER };
  return { ram: ramBytes, vram: Math.floor(graphics.totalBytes * VRAM_SHARE) };
}

/** Where a model of this size goes: on the card as far as it fits, the rest into machine memory. */
export function placeBytes(
  bytes: number,
  graphics: GraphicsMemory | undefined,
  overheadBytes: number,
): Bytes {
  if (!graphics || graphics.isShared) return { ram: bytes + overheadBytes, vram: 0 };
  const vram = Math.min(bytes, budgetOf(0, graphics).vram);
  return { ram: bytes - vram + overheadBytes, vram };
}

/** The longest context that fits, unless one is configured: halved until it does, never below the minimum. */
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

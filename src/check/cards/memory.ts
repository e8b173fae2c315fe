import { setTimeout as sleep } from 'node:timers/promises';
import type { Device } from '../../runtime/devices/device.ts';

/** Other programs use the card too. */
const NOISE_BYTES = 64_000_000;
const NOISE_SHARE = 0.1;
const LOOKS_MAX = 10;
const LOOK_EVERY_MS = 500;

/** Processors that present themselves as cards have none either. */
export function hasOwnMemory({ isShared, isAutomatic }: Device): boolean {
  return !isShared && isAutomatic;
}

type Free = number | undefined;

export function tookBytes(before: Free, during: Free): number {
  return Math.max(0, (before ?? 0) - (during ?? 0));
}

type Wanted = { before: Free; taken: number; freeBytes: () => Promise<Free> };

/** A driver may take a moment to free the memory of a process that has exited. */
export async function givenBack({ before, taken, freeBytes }: Wanted, signal: AbortSignal) {
  if (before === undefined) return { isBack: true, text: '' };
  let missing = Infinity;
  for (let looks = 0; looks < LOOKS_MAX; looks++) {
    missing = before - ((await freeBytes()) ?? 0);
    if (missing <= Math.max(NOISE_BYTES, NOISE_SHARE * taken))
      return { isBack: true, text: taken > 0 ? `, ${gigabytes(taken)} given back` : '' };
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
  return { isBack: false, text: `, and ${gigabytes(missing)} of ${gigabytes(taken)} are not given back` };
}

export function gigabytes(bytes: number): string {
  return bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

const STEPS = 5;

/**
 * Lets everything else go first where this thread wants the same core: requests are answered while a model is downloaded.
 * Only Linux has priorities of single threads; elsewhere, and where it is forbidden, all are equal.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, Math.min(19, getPriority(thread) + STEPS));
  } catch {
    // It is as fast without.
  }
}

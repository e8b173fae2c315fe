import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

const STEPS = 5;

/**
 * Lowers the priority of this thread, so that requests are served promptly while a model is downloaded. Only Linux
 * has thread priorities; elsewhere, and where it is forbidden, this does nothing.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, Math.min(19, getPriority(thread) + STEPS));
  } catch {
    // The work is just as fast without it.
  }
}

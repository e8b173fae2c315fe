import type { Clock } from '../base/clock.ts';

/** When something that is stored now will be deleted; what is kept forever has a time too. */
export function expiry(clock: Clock, ttlMs: number): number {
  return Math.min(clock.now() + ttlMs, Number.MAX_SAFE_INTEGER);
}

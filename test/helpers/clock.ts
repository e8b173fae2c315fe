import { onTestFinished, vi } from 'vitest';
import type { Clock } from '../../src/base/clock.ts';

/** A clock that a test advances. */
export function settableClock(startMs = Date.UTC(2026, 5, 1, 12)): Clock & { advance(ms: number): void } {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    advance(ms) {
      nowMs += ms;
    },
  };
}

/**
 * Holds the clock of this process, until the test is over, for what counts by the minute of the clock: one that ends in
 * the middle of a test would begin the count anew. Timers go on.
 */
export function holdClock(nowMs = Date.now()): void {
  vi.useFakeTimers({ now: nowMs, toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
}

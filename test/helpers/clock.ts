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
 * Stops this process's clock until the test ends, for anything that counts per clock minute: if a minute ended in the
 * middle of a test, the count would restart. Timers continue.
 */
export function holdClock(nowMs = Date.now()): void {
  vi.useFakeTimers({ now: nowMs, toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
}

import type { Clock } from '../../src/clock.ts';

/** A clock that moves when a test says so. */
export function settableClock(startMs = Date.UTC(2026, 5, 1, 12)): Clock & { advance(ms: number): void } {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    advance(ms) {
      nowMs += ms;
    },
  };
}

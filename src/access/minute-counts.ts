import type { Clock } from '../base/clock.ts';

const MINUTE_MS = 60_000;

export type MinuteCounts = ReturnType<typeof createMinuteCounts>;

/** Counts by name within the current clock minute. All counts are dropped when it ends, so memory stays bounded. */
export function createMinuteCounts({ clock, max }: { clock: Clock; max: number }) {
  const counts = new Map<string, number>();
  let minute = 0;

  /** Setting the clock back does not reset the minute, unless it goes back by more than a moment. */
  function roll(): void {
    const current = Math.floor(clock.now() / MINUTE_MS);
    if (current < minute - 1) minute = current;
    if (current <= minute) return;
    minute = current;
    counts.clear();
  }

  function secondsLeft(): number {
    const left = Math.ceil(((minute + 1) * MINUTE_MS - clock.now()) / 1000);
    return Math.min(60, Math.max(1, left));
  }

  return {
    /** Counts one. Above the maximum, returns how many seconds to wait. */
    add(name: string): number | undefined {
      roll();
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return count > max ? secondsLeft() : undefined;
    },
    /** Seconds to wait when the maximum is reached, without counting. */
    wait(name: string): number | undefined {
      roll();
      return (counts.get(name) ?? 0) >= max ? secondsLeft() : undefined;
    },
  };
}

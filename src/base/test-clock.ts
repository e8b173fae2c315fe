import { systemClock, type Clock } from './clock.ts';
import { Failure } from './errors.ts';

export type TestClock = ReturnType<typeof createTestClock>;

const UNIT_MS: Record<string, number> = {
  ...{ ms: 1, s: 1000, second: 1000, m: 60_000, minute: 60_000, h: 3_600_000, hour: 3_600_000 },
  ...{ d: 86_400_000, day: 86_400_000, w: 604_800_000, week: 604_800_000 },
};
/** Later dates have a year of five digits and a different format. */
const LATEST_MS = Date.UTC(9999, 0);

/** Runs like the machine's clock, but ahead of it. It never goes back. */
export function createTestClock(machine: Clock = systemClock) {
  const listeners: (() => void)[] = [];
  let aheadMs = 0;

  const now = (): number => machine.now() + aheadMs;

  function moveTo(ms: number): void {
    if (ms < now())
      throw wrong('now', `The clock is at ${new Date(now()).toISOString()} and cannot go back.`);
    if (!(ms < LATEST_MS)) throw wrong('now', 'The clock goes up to the year 9998.');
    aheadMs += ms - now();
    for (const listener of listeners) listener();
  }

  return {
    now,
    onMove: (listener: () => void) => void listeners.push(listener),
    moveTo,
    /** By `31 days`, `1h30m`, `90 s`. */
    advance: (text: string): void => moveTo(now() + parseTime(text)),
  };
}

function parseTime(text: string): number {
  const parts = [...text.matchAll(/(\d+)\s*([a-z]+)\s*/gy)];
  const length = parts.reduce((sum, [part]) => sum + part.length, 0);
  const sizes = parts.map(([, count, unit = '']) => Number(count) * (unitOf(unit) ?? NaN));
  const ms = sizes.reduce((sum, size) => sum + size, 0);
  if (parts.length > 0 && length === text.length && !Number.isNaN(ms)) return ms;
  throw wrong('advance', `${JSON.stringify(text)} is not a time such as "90 s", "1h30m" or "31 days".`);
}

const unitOf = (unit: string): number | undefined => UNIT_MS[unit] ?? UNIT_MS[unit.replace(/s$/, '')];

function wrong(param: string, message: string): Failure {
  return new Failure('invalid_value', message, { param });
}

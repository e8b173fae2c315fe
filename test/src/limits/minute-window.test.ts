import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMinuteWindow, type Reservation } from '../../../src/limits/minute-window.ts';

const MINUTE = 60_000;
const noon = Date.UTC(2026, 5, 1, 12);
const limits = { rpm: 3, tpm: 100 };

/** Requires that it is admitted. */
function granted(admission: ReturnType<ReturnType<typeof createMinuteWindow>['admit']>): Reservation {
  if (!admission.granted) throw new Error(`refused for ${admission.kind}`);
  return admission.reservation;
}

describe('a minute', () => {
  test('grants as many requests as the tier has, then refuses, and the next minute grants again', () => {
    const window = createMinuteWindow();
    for (let count = 0; count < 3; count++) granted(window.admit(noon, limits, 1));
    expect(window.admit(noon, limits, 1)).toEqual({ granted: false, kind: 'rpm', isFirst: true });
    expect(window.admit(noon + MINUTE - 1, limits, 1)).toMatchObject({ kind: 'rpm', isFirst: false });
    granted(window.admit(noon + MINUTE, limits, 1));
  });

  test('counts both or neither: a request refused for its tokens does not count as a request', () => {
    const window = createMinuteWindow();
    granted(window.admit(noon, limits, 60));
    expect(window.admit(noon, limits, 41)).toMatchObject({ granted: false, kind: 'tpm' });
    expect(window.status(noon, limits)).toMatchObject({ rpm: { remaining: 2 }, tpm: { remaining: 40 } });
    granted(window.admit(noon, limits, 40));
  });

  test('lets a request that is larger than the tier pass alone, and counts at least one token', () => {
    const window = createMinuteWindow();
    expect(granted(window.admit(noon, limits, 5000)).tokens).toBe(100);
    expect(window.admit(noon, limits, 0)).toMatchObject({ kind: 'tpm' });
  });

  test('finally counts what was used', () => {
    const window = createMinuteWindow();
    const reservation = granted(window.admit(noon, limits, 80));
    window.settle(noon + 1, reservation, 30);
    expect(window.status(noon + 1, limits).tpm.remaining).toBe(70);
  });

  test('does not count what began before it', () => {
    const window = createMinuteWindow();
    const reservation = granted(window.admit(noon, limits, 80));
    window.settle(noon + MINUTE, reservation, 80);
    window.cancel(reservation);
    expect(window.status(noon + MINUTE, limits)).toMatchObject({
      rpm: { remaining: 3 },
      tpm: { remaining: 100 },
    });
  });

  test('returns a request that was refused after all', () => {
    const window = createMinuteWindow();
    window.cancel(granted(window.admit(noon, limits, 80)));
    expect(window.status(noon, limits)).toMatchObject({ rpm: { remaining: 3 }, tpm: { remaining: 100 } });
  });

  test('follows a change of the tier at once, and stays at zero if more is used than the new one allows', () => {
    const window = createMinuteWindow();
    for (let count = 0; count < 3; count++) granted(window.admit(noon, limits, 30));
    expect(window.status(noon, { rpm: 2, tpm: 50 })).toMatchObject({
      rpm: { remaining: 0 },
      tpm: { remaining: 0 },
    });
    expect(window.status(noon, { rpm: 10, tpm: 1000 })).toMatchObject({
      rpm: { remaining: 7 },
      tpm: { remaining: 910 },
    });
    granted(window.admit(noon, { rpm: 10, tpm: 1000 }, 1));
  });
});

describe('a clock that is set back', () => {
  test('by a moment does not empty the window', () => {
    const window = createMinuteWindow();
    for (let count = 0; count < 3; count++) granted(window.admit(noon, limits, 1));
    expect(window.admit(noon - 500, limits, 1)).toMatchObject({ kind: 'rpm' });
    expect(window.status(noon - 500, limits).retryAfterSeconds).toBe(60);
  });

  test('by hours neither empties the window nor locks it for hours', () => {
    const window = createMinuteWindow();
    const reservation = granted(window.admit(noon, limits, 50));
    for (let count = 0; count < 2; count++) granted(window.admit(noon, limits, 10));
    const earlier = noon - 5 * 60 * MINUTE;
    expect(window.admit(earlier, limits, 1)).toMatchObject({ kind: 'rpm' });
    window.settle(earlier, reservation, 0);
    expect(window.status(earlier, limits)).toMatchObject({
      tpm: { remaining: 80 },
      resetMs: earlier + MINUTE,
    });
    granted(window.admit(earlier + MINUTE, limits, 1));
  });
});

type Step = { kind: 'admit' | 'settle' | 'cancel' | 'wait'; size: number };
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('admit', 'admit', 'admit', 'settle', 'cancel', 'wait'),
  size: fc.nat(200),
});

test('whatever arrives when, no minute grants more than its limits and every new minute grants again', () => {
  const tier = fc.record({ rpm: fc.integer({ min: 1, max: 8 }), tpm: fc.integer({ min: 1, max: 300 }) });
  fc.assert(
    fc.property(tier, fc.array(step, { maxLength: 120 }), (limits, steps) => {
      const window = createMinuteWindow();
      const open: { reservation: Reservation; minute: number }[] = [];
      const used = new Map<number, { requests: number; tokens: number }>();
      let now = noon;
      const usedNow = () => {
        const minute = Math.floor(now / MINUTE);
        const entry = used.get(minute) ?? { requests: 0, tokens: 0 };
        used.set(minute, entry);
        return entry;
      };
      for (const { kind, size } of steps) {
        if (kind === 'wait') now += size * 300;
        const entry = usedNow();
        const before = window.status(now, limits);
        if (kind === 'admit') {
          const admission = window.admit(now, limits, size);
          const wanted = Math.min(Math.max(size, 1), limits.tpm);
          const fits = entry.requests < limits.rpm && entry.tokens + wanted <= limits.tpm;
          expect(admission.granted).toBe(fits);
          if (admission.granted) {
            open.push({ reservation: admission.reservation, minute: Math.floor(now / MINUTE) });
            entry.requests += 1;
            entry.tokens += wanted;
          } else expect(window.status(now, limits)).toEqual(before);
        }
        const { reservation, minute } =
          (kind === 'settle' || kind === 'cancel' ? open.shift() : undefined) ?? {};
        const isOfNow = minute === Math.floor(now / MINUTE);
        if (reservation && kind === 'settle') {
          const actual = Math.min(size, reservation.tokens);
          window.settle(now, reservation, actual);
          if (isOfNow) entry.tokens += actual - reservation.tokens;
        }
        if (reservation && kind === 'cancel') {
          window.cancel(reservation);
          if (isOfNow) {
            entry.requests -= 1;
            entry.tokens -= reservation.tokens;
          }
        }
        const { rpm, tpm, retryAfterSeconds, resetMs } = window.status(now, limits);
        expect(rpm.remaining).toBe(limits.rpm - entry.requests);
        expect(tpm.remaining).toBe(limits.tpm - entry.tokens);
        expect(retryAfterSeconds).toBeGreaterThanOrEqual(1);
        expect(retryAfterSeconds).toBeLessThanOrEqual(60);
        expect(resetMs % MINUTE).toBe(0);
        expect(resetMs - now).toBeGreaterThan(0);
      }
      for (const { requests, tokens } of used.values()) {
        expect(requests).toBeLessThanOrEqual(limits.rpm);
        expect(tokens).toBeLessThanOrEqual(limits.tpm);
      }
      granted(window.admit(now + MINUTE, limits, 10_000));
    }),
    { numRuns: 500 },
  );
});

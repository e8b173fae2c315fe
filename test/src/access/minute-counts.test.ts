import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMinuteCounts } from '../../../src/access/minute-counts.ts';
import { settableClock } from '../../helpers/clock.ts';

test('requests above the maximum wait for the end of the minute, counted separately for each name', () => {
  const clock = settableClock();
  const counts = createMinuteCounts({ clock, max: 2 });
  clock.advance(15_000);
  expect([counts.add('a'), counts.add('a'), counts.wait('a'), counts.add('a')]).toEqual([
    undefined,
    undefined,
    45,
    45,
  ]);
  expect(counts.add('b')).toBeUndefined();
  clock.advance(45_000);
  expect([counts.wait('a'), counts.add('a')]).toEqual([undefined, undefined]);
});

test('whatever the clock does, a minute lets at most the maximum through and the wait is 1 to 60 seconds', () => {
  const steps = fc.array(fc.integer({ min: -90_000, max: 90_000 }), { maxLength: 200 });
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 5 }), (moves, max) => {
      const clock = settableClock();
      const counts = createMinuteCounts({ clock, max });
      let latest = 0;
      let granted = 0;
      for (const move of moves) {
        clock.advance(move);
        const minute = Math.floor(clock.now() / 60_000);
        // Set back by more than a moment, it keeps what was counted.
        if (minute < latest - 1) latest = minute;
        if (minute > latest) [latest, granted] = [minute, 0];
        const wait = counts.add('a');
        if (wait === undefined) granted += 1;
        else expect(wait >= 1 && wait <= 60).toBe(true);
        expect(granted).toBeLessThanOrEqual(max);
      }
    }),
  );
});

test('a clock that is set back by hours neither empties the minute nor keeps anybody out for hours', () => {
  const clock = settableClock();
  const counts = createMinuteCounts({ clock, max: 1 });
  counts.add('a');
  clock.advance(-5 * 60 * 60_000);
  expect(counts.add('a')).toBe(60);
  clock.advance(60_000);
  expect(counts.add('a')).toBeUndefined();
});

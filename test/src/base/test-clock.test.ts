import { expect, test } from 'vitest';
import { createTestClock } from '../../../src/base/test-clock.ts';
import { settableClock } from '../../helpers/clock.ts';

const START = Date.UTC(2026, 5, 1, 12);

test.each([
  ['90 s', 90_000],
  ['1h30m', 5_400_000],
  ['1 hour 30 minutes', 5_400_000],
  ['250ms', 250],
  ['31 days', 31 * 86_400_000],
  ['2 weeks', 14 * 86_400_000],
])('%s passes at once', (text, ms) => {
  const clock = createTestClock(settableClock(START));
  clock.advance(text);
  expect(clock.now() - START).toBe(ms);
});

test.each(['', 'soon', '5', '1 fortnight', '-3 s', '1h and 2m', '1.5h', '99999999999999999 days'])(
  '%j is refused, and no time passes',
  (text) => {
    const clock = createTestClock(settableClock(START));
    expect(() => clock.advance(text)).toThrow(/./);
    expect(clock.now()).toBe(START);
  },
);

test('it is set to a date, goes on from there, and never goes back', () => {
  const machine = settableClock(START);
  const clock = createTestClock(machine);
  clock.moveTo(START + 1000);
  machine.advance(5);
  expect(clock.now()).toBe(START + 1005);
  expect(() => clock.moveTo(START)).toThrow('cannot go back');
  expect(() => clock.moveTo(Number.NaN)).toThrow();
});

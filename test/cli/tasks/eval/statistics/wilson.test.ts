import fc from 'fast-check';
import { expect, test } from 'vitest';
import { totalInterval, wilsonInterval } from '../../../../../cli/tasks/eval/statistics/wilson.ts';

// Newcombe, Two-sided confidence intervals for the single proportion, 1998: the score method.
test.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
  [10, 10, 0.7225, 1],
])('Wilson’s interval of %i in %i is the published one', (passed, trials, low, high) => {
  const interval = wilsonInterval(passed, trials) ?? [];
  expect(interval.map((bound) => Number(bound.toFixed(4)))).toEqual([low, high]);
});

test('zero trials have no interval', () => {
  expect(wilsonInterval(0, 0)).toBeNull();
  expect(totalInterval([{ passed: 0, failed: 0 }])).toBeNull();
});

const tally = fc.record({ passed: fc.integer({ min: 0, max: 30 }), failed: fc.integer({ min: 0, max: 30 }) });

test('an interval holds the rate, stays within 0 and 1, and narrows with more trials', () => {
  fc.assert(
    fc.property(tally, ({ passed, failed }) => {
      const trials = passed + failed + 1;
      const [low, high] = wilsonInterval(passed, trials) ?? [2, -1];
      expect(low).toBeGreaterThanOrEqual(0);
      expect(high).toBeLessThanOrEqual(1);
      expect(low).toBeLessThanOrEqual(passed / trials);
      expect(high).toBeGreaterThanOrEqual(passed / trials);
      const [lowOfMore, highOfMore] = wilsonInterval(passed * 4, trials * 4) ?? [-1, 2];
      expect(highOfMore - lowOfMore).toBeLessThan(high - low);
    }),
  );
});

test('with one sample of each case, the total is Wilson’s interval of the cases', () => {
  const cases = [1, 1, 0, 1].map((passed) => ({ passed, failed: 1 - passed }));
  expect(totalInterval(cases)).toEqual(wilsonInterval(3, 4));
});

test('a hundred samples of two cases say less about the next case than a hundred cases', () => {
  const [low, high] = totalInterval([
    { passed: 50, failed: 0 },
    { passed: 0, failed: 50 },
  ]) ?? [0, 0];
  const [lowOfMany, highOfMany] = wilsonInterval(50, 100) ?? [0, 1];
  expect(high - low).toBeGreaterThan(2 * (highOfMany - lowOfMany));
});

test('the total is never narrower than if all samples were independent', () => {
  fc.assert(
    fc.property(fc.array(tally, { minLength: 1, maxLength: 12 }), (cases) => {
      const passed = cases.reduce((sum, each) => sum + each.passed, 0);
      const trials = cases.reduce((sum, each) => sum + each.passed + each.failed, 0);
      const naive = wilsonInterval(passed, trials);
      const total = totalInterval(cases);
      if (naive === null || total === null) return expect(total).toBe(naive);
      expect(total[1] - total[0]).toBeGreaterThanOrEqual(naive[1] - naive[0] - 1e-9);
    }),
  );
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { signFlipTest, type Pair } from '../../../../../cli/tasks/eval/statistics/sign-flip.ts';

const pair = (first: number, second: number, of = 1): Pair => ({
  first: { passed: first, of },
  second: { passed: second, of },
});
const repeat = (count: number, each: Pair) => Array.from({ length: count }, () => each);
/** Cases that only the first, only the second, or both pass. */
const discordant = (first: number, second: number, both = 0) => [
  ...repeat(first, pair(1, 0)),
  ...repeat(second, pair(0, 1)),
  ...repeat(both, pair(1, 1)),
];

// Two-sided binomial probabilities, as in tables of McNemar's exact test.
test.each([
  [0, 6, 0.03125],
  [1, 9, 0.021484375],
  [2, 8, 0.109375],
  [5, 5, 1],
  [0, 0, 1],
  [5, 15, 0.041389465],
])('with one sample of each case, %i against %i is McNemar’s exact test', (first, second, p) => {
  expect(signFlipTest(discordant(first, second, 7))).toBeCloseTo(p, 8);
});

test('is the same in either order', () => {
  const rates = fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 }));
  fc.assert(
    fc.property(fc.array(rates, { maxLength: 15 }), (pairs) => {
      const there = signFlipTest(pairs.map(([a, b]) => pair(a, b, 3)));
      expect(signFlipTest(pairs.map(([a, b]) => pair(b, a, 3)))).toBeCloseTo(there, 12);
    }),
  );
});

test('equals the result of trying every assignment of signs', () => {
  const rates = fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 4 }));
  fc.assert(
    fc.property(fc.array(rates, { maxLength: 9 }), (pairs) => {
      const differences = pairs.map(([a, b]) => b - a);
      const observed = Math.abs(differences.reduce((sum, each) => sum + each, 0));
      let [asLarge, all] = [0, 0];
      for (let signs = 0; signs < 2 ** differences.length; signs += 1) {
        const total = differences.reduce((sum, each, bit) => sum + (signs & (1 << bit) ? each : -each), 0);
        if (Math.abs(total) >= observed) asLarge += 1;
        all += 1;
      }
      expect(signFlipTest(pairs.map(([a, b]) => pair(a, b, 4)))).toBeCloseTo(asLarge / all, 10);
    }),
    { numRuns: 50 },
  );
});

test('takes cases of different numbers of samples, and many of them', () => {
  const uneven = [3, 5, 7, 11].map((of) => ({ first: { passed: 0, of }, second: { passed: of, of } }));
  expect(signFlipTest(uneven)).toBeCloseTo(2 / 2 ** 4, 10);
  expect(signFlipTest(repeat(1_000, pair(2, 5, 10)))).toBeLessThan(1e-100);
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatCredits, monthOf, NANO_MAX, toCredits, toNano } from '../../../src/base/money.ts';

const nano = fc.oneof(
  fc.integer({ min: 0, max: NANO_MAX }),
  fc.integer({ min: 0, max: 1_000_000 }),
  fc.integer({ min: NANO_MAX - 1_000_000, max: NANO_MAX }),
);

describe('an amount', () => {
  test('survives a round trip, to the last nano-credit', () => {
    fc.assert(
      fc.property(nano, (amount) => toNano(toCredits(amount)) === amount),
      { numRuns: 1000 },
    );
  });

  test('survives as the JSON that a client reads, both signs', () => {
    fc.assert(
      fc.property(nano, (amount) => {
        const read = JSON.parse(JSON.stringify({ amount: toCredits(-amount) })) as { amount: number };
        expect(toNano(read.amount) + amount).toBe(0);
      }),
    );
  });

  test('keeps the order of amounts', () => {
    fc.assert(
      fc.property(nano, (amount) => {
        fc.pre(amount < NANO_MAX);
        expect(toCredits(amount)).toBeLessThan(toCredits(amount + 1));
      }),
    );
  });

  test.each([
    [0, '0.00'],
    [1, '0.000000001'],
    [9_999_999, '0.009999999'],
    [10_000_000, '0.01'],
    [1_500_000_000, '1.50'],
    [-2_000_000, '-0.002'],
    [99_999_984_200, '99.9999842'],
  ])('of %d nano-credits reads %s', (amount, text) => {
    expect(formatCredits(amount)).toBe(text);
  });
});

test('a month is a UTC month', () => {
  expect(monthOf(Date.parse('2026-11-30T23:59:59.999Z'))).toBe('2026-11');
  expect(monthOf(Date.parse('2026-12-01T00:30:00+01:00'))).toBe('2026-11');
  expect(monthOf(Date.parse('2026-11-30T23:30:00-01:00'))).toBe('2026-12');
});

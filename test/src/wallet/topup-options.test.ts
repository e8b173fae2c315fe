import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Failure } from '../../../src/base/errors.ts';
import { toCredits } from '../../../src/base/money.ts';
import { topupOption } from '../../../src/wallet/topup-options.ts';

test.each([
  [1, 0, 1],
  [10, 0, 10],
  [25, 0, 25],
  [49.99, 0, 49.99],
  [50, 2.5, 52.5],
  [99.99, 4.9995, 104.9895],
  [100, 10, 110],
  [249.99, 24.999, 274.989],
  [250, 37.5, 287.5],
  [499.99, 74.9985, 574.9885],
])('%d dollars bring a bonus of %d, %d in all', (amount, bonus, total) => {
  const { amountN, bonusN, priceMinor } = topupOption(amount);
  expect([toCredits(bonusN), toCredits(amountN + bonusN)]).toEqual([bonus, total]);
  expect(priceMinor / 100).toBe(amount);
});

test.each([
  [500, 'contact_sales'],
  [1e308, 'contact_sales'],
  [0.99, 'invalid_value'],
  [0, 'invalid_value'],
  [-50, 'invalid_value'],
  [10.001, 'invalid_value'],
])('%d dollars are refused with %s', (amount, code) => {
  expect(() => topupOption(amount)).toThrow(expect.objectContaining({ code, param: 'amount' }) as Failure);
});

test('every amount to the cent is whole nano-credits, and more money never buys less', () => {
  const cents = fc.integer({ min: 100, max: 49_999 });
  fc.assert(
    fc.property(cents, cents, (a, b) => {
      const [less, more] = [Math.min(a, b), Math.max(a, b)].map((each) => topupOption(each / 100));
      expect(Number.isSafeInteger((less?.bonusN ?? 0) + (more?.bonusN ?? 0))).toBe(true);
      const total = ({ amountN, bonusN }: { amountN: number; bonusN: number }) => amountN + bonusN;
      expect(less && more && total(less) <= total(more)).toBe(true);
    }),
  );
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { credits } from '../../../../../daemon/console/web/data/format.ts';

test.each([
  [99.9997226, '99.99'],
  [0.57, '0.57'],
  [0.0081234, '0.00812'],
  [0.0099999, '0.00999'],
  [-0.0042, '-0.0042'],
  [0, '0.00'],
])('%d credits are %s, rounded down', (amount, text) => {
  expect(credits(amount)).toBe(text);
});

test('no amount is shown as more than it is', () => {
  const amounts = fc.integer({ min: 0, max: 10 ** 15 }).map((nano) => nano / 10 ** 9);
  fc.assert(
    fc.property(amounts, (amount) => {
      expect(Number(credits(amount).replaceAll(',', ''))).toBeLessThanOrEqual(amount);
    }),
  );
});

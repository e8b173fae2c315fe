import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatAmount, formatBytes, formatDuration, formatSince } from '../../../cli/output/format.ts';
import { NANO_MAX, NANO_PER_CREDIT, toCredits, toNano } from '../../../src/base/money.ts';

test.each([
  [null, '-'],
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 KB'],
  [999_999, '1.0 MB'],
  [54_880, '54.9 KB'],
  [109_300_000, '109 MB'],
  [4_700_000_000, '4.7 GB'],
  [5e15, '5000 TB'],
])('%j bytes are %j', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test.each([
  [0, '0s'],
  [59_999, '59s'],
  [60_000, '1m'],
  [3_725_000, '1h 2m'],
  [86_400_000 * 3 + 5000, '3d'],
  [-1000, '0s'],
])('%i ms are %j', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test.each([
  [0, '0.00'],
  [99.9997226, '99.99'],
  [99.994, '99.99'],
  [100, '100.00'],
  [1234.5, '1234.50'],
  [0.5, '0.50'],
  [0.0000081, '0.0000081'],
  [0.000123, '0.00012'],
  [0.000000123, '0.00000012'],
  [0.000000001, '0.000000001'],
  [0.0999, '0.099'],
  [0.996, '0.99'],
  [-0.0042, '-0.0042'],
  [-99.9999, '-100.00'],
  [7_999_999.999, '7999999.99'],
])('%d credits are %j, rounded to the digits that matter', (credits, text) => {
  expect(formatAmount(credits)).toBe(text);
});

test('a rounded amount is never more than there is, and short of it by less than its last digit', () => {
  fc.assert(
    fc.property(fc.integer({ min: -NANO_MAX, max: NANO_MAX }), (nano) => {
      const shown = formatAmount(toCredits(nano));
      const missing = nano - toNano(Number(shown));
      expect(missing).toBeGreaterThanOrEqual(0);
      expect(missing).toBeLessThan(NANO_PER_CREDIT / 10 ** (shown.split('.')[1] ?? '').length);
    }),
  );
});

test('a time is shown relative to now', () => {
  expect(formatSince('2026-01-01T00:00:00.000Z', Date.parse('2026-01-01T00:01:30.000Z'))).toBe('1m 30s ago');
  expect(formatSince(null, 0)).toBe('-');
});

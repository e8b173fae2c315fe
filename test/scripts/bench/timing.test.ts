import { expect, test } from 'vitest';
import {
  aggregateTokensPerSecond,
  decodeTokensPerSecond,
  median,
  timeBatch,
} from '../../../scripts/bench/timing.ts';

test('decode speed leaves out the wait for the first token', () => {
  expect(decodeTokensPerSecond({ firstTokenMs: 500, lastTokenMs: 1500, tokens: 101 })).toBe(100);
});

test('a stream that was cut off before its second token has no speed', () => {
  expect(decodeTokensPerSecond({ firstTokenMs: 500, lastTokenMs: 500, tokens: 1 })).toBe(0);
});

test('what streams receive together is judged by the last of them', () => {
  const timings = [
    { firstTokenMs: 100, lastTokenMs: 1000, tokens: 50 },
    { firstTokenMs: 100, lastTokenMs: 2000, tokens: 50 },
  ];
  expect(aggregateTokensPerSecond(timings)).toBe(50);
});

test.each([
  [[3, 1, 2], 2],
  [[4, 1, 2, 3], 2.5],
  [[7], 7],
])('the median of %j is %d', (values, expected) => {
  expect(median(values)).toBe(expected);
});

test('a stream that is too slow is stopped at the deadline and judged by what it did', async () => {
  const [timing] = await timeBatch(
    async (_, onTokens, signal) => {
      onTokens();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return 1;
    },
    ['slow'],
    { maxTokens: 10, deadlineMs: 20 },
  );
  expect(timing?.tokens).toBe(1);
});

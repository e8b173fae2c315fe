import { expect, test } from 'vitest';
import {
  firstTokenMs,
  median,
  timeBatch,
  tokensPerSecond,
} from '../../../../scripts/bench/overhead/timing.ts';

/** A stream with a token every this many milliseconds. */
function steady(from: number, to: number, every: number) {
  const arrivalsMs = Array.from({ length: (to - from) / every + 1 }, (_, index) => from + index * every);
  return { arrivalsMs, tokens: arrivalsMs.length };
}

test('speed leaves out the wait for the first token', () => {
  const timing = steady(500, 1500, 10);
  expect(tokensPerSecond([timing])).toBeCloseTo(100);
  expect(firstTokenMs(timing)).toBe(500);
});

test('streams together are measured while all of them run', () => {
  const alone = steady(0, 1000, 1);
  const late = steady(1000, 2000, 10);
  const long = { arrivalsMs: [...alone.arrivalsMs, ...steady(1010, 4000, 10).arrivalsMs], tokens: 1301 };
  expect(tokensPerSecond([long, late])).toBeCloseTo(200, 0);
});

test('tokens that arrive together count as many', () => {
  expect(tokensPerSecond([{ ...steady(0, 1000, 10), tokens: 202 }])).toBeCloseTo(200);
});

test('a stream that was cut off before its second token has no speed', () => {
  expect(tokensPerSecond([{ arrivalsMs: [500], tokens: 1 }])).toBe(0);
  expect(tokensPerSecond([{ arrivalsMs: [], tokens: 0 }, steady(0, 100, 10)])).toBe(0);
});

test.each([
  [[3, 1, 2], 2],
  [[4, 1, 2, 3], 2.5],
  [[7], 7],
])('the median of %j is %d', (values, expected) => {
  expect(median(values)).toBe(expected);
});

test('a stream that is too slow is stopped at the deadline and measured by what it did', async () => {
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

import { expect, test } from 'vitest';
import { classifyOutcome, parseRetryAfter, type AttemptResult } from '../../../src/webhooks/retry.ts';

const waitsMs = [5_000, 300_000];
type Result = Pick<AttemptResult, 'status' | 'error' | 'retryAfterMs'>;

const after = (result: Partial<Result>, attempts = 1, random = 0.5) =>
  classifyOutcome({
    result: { status: null, error: null, retryAfterMs: null, ...result },
    attempts,
    waitsMs,
    random,
  });

test.each([200, 201, 204, 299])('%i is success', (status) => {
  expect(after({ status })).toEqual({ state: 'delivered' });
});

test.each([100, 300, 301, 302, 307, 400, 401, 404, 500])('%i is retried at its time', (status) => {
  expect(after({ status })).toEqual({ state: 'pending', waitMs: 5_000 });
  expect(after({ status }, 2)).toEqual({ state: 'pending', waitMs: 300_000 });
  expect(after({ status }, 3)).toEqual({ state: 'failed', isGone: false });
});

test('a wait varies by a fifth at most', () => {
  expect(after({ status: 500 }, 2, 0)).toEqual({ state: 'pending', waitMs: 240_000 });
  expect(after({ status: 500 }, 2, 1)).toEqual({ state: 'pending', waitMs: 360_000 });
});

test('410 is the end', () => {
  expect(after({ status: 410 })).toEqual({ state: 'failed', isGone: true });
  expect(after({ status: 410 }, 3)).toEqual({ state: 'failed', isGone: true });
});

test.each([
  { status: 429 },
  { status: 502 },
  { status: 503 },
  { status: 504 },
  { error: 'timeout' as const },
  { error: 'connection_timeout' as const },
])('after %j at least a minute passes', (result) => {
  expect(after(result)).toEqual({ state: 'pending', waitMs: 60_000 });
  expect(after(result, 2)).toEqual({ state: 'pending', waitMs: 300_000 });
});

test.each([
  [1_000, 300_000],
  [400_000, 400_000],
  [9_000_000, 600_000],
])('when asked to wait %i ms, it waits %i', (retryAfterMs, waitMs) => {
  expect(after({ status: 429, retryAfterMs }, 2)).toEqual({ state: 'pending', waitMs });
});

test.each([
  [undefined, null],
  ['120', 120_000],
  ['Thu, 01 Jan 1970 00:01:00 GMT', 60_000],
  ['Wed, 31 Dec 1969 00:00:00 GMT', 0],
  ['soon', null],
])('Retry-After: %s is %s', (header, wanted) => expect(parseRetryAfter(header, 0)).toBe(wanted));

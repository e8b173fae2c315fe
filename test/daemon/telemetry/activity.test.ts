import { expect, test } from 'vitest';
import { createActivity, type Reading } from '../../../daemon/telemetry/activity.ts';
import { SAMPLES_MAX } from '../../../src/api/management/activity.ts';

const NOON = Date.parse('2027-01-31T12:00:00Z');

function begin() {
  let ms = NOON;
  let reading: Reading = {
    ...{ requests: 5, generatedTokens: 100, paidN: 1000, memoryBytes: 1e8 },
    tokensByModel: new Map([['small', 100]]),
    firstTokens: { count: 4, seconds: 2 },
  };
  const activity = createActivity({ clock: { now: () => ms }, read: () => reading });
  return {
    activity,
    pass: (seconds: number) => void (ms += seconds * 1000),
    count: (more: Partial<Reading>) => void (reading = { ...reading, ...more }),
  };
}

test('a sample is what was counted in ten seconds, and the current one grows', () => {
  const { activity, pass, count } = begin();
  pass(4);
  count({ requests: 7, generatedTokens: 180, paidN: 3_000_001_000, memoryBytes: 2e8 });
  count({ tokensByModel: new Map(Object.entries({ small: 100, large: 80 })) });
  count({ firstTokens: { count: 6, seconds: 3 } });
  expect(activity.current()).toEqual({
    ...{ at: '2027-01-31T12:00:00.000Z', seconds: 4, requests: 2, generated_tokens: 80, spent: 3 },
    ...{ first_token_seconds: 0.5, memory_bytes: 2e8, models: [{ artifact: 'large', generated_tokens: 80 }] },
  });
  pass(6);
  activity.advance();
  pass(1);
  const [closed, open, ...more] = activity.samples();
  expect(more).toEqual([]);
  expect(closed).toMatchObject({ seconds: 10, requests: 2, generated_tokens: 80 });
  expect(open).toEqual({
    ...{ at: '2027-01-31T12:00:10.000Z', seconds: 1, requests: 0, generated_tokens: 0, spent: 0 },
    ...{ first_token_seconds: null, memory_bytes: 2e8, models: [] },
  });
});

test('a machine that slept leaves a gap, not ten minutes of nothing', () => {
  const { activity, pass } = begin();
  pass(600);
  expect(activity.samples().map(({ at, seconds }) => [at.slice(11, 19), seconds])).toEqual([
    ['12:00:00', 600],
    ['12:10:00', 0],
  ]);
});

test('only one hour is kept', () => {
  const { activity, pass } = begin();
  for (let sample = 0; sample < 2 * SAMPLES_MAX; sample++) {
    pass(10);
    activity.advance();
  }
  const samples = activity.samples();
  expect(samples).toHaveLength(SAMPLES_MAX);
  const [first, last] = [samples[0], samples.at(-1)].map((each) => Date.parse(each?.at ?? ''));
  expect((last ?? 0) - (first ?? 0)).toBe(3_600_000);
});

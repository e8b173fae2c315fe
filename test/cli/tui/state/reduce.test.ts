import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DaemonEvent } from '../../../../src/api/management/events.ts';
import { SAMPLES_MAX, type ActivitySample } from '../../../../src/api/management/activity.ts';
import { reduce } from '../../../../cli/tui/state/reduce.ts';
import { initialState, KEPT_MAX, type State } from '../../../../cli/tui/state/state.ts';
import { NO_RUNS, NOON, STATUS } from '../../../helpers/terminal/tui.tsx';

const begin = initialState({ screen: 'overview', size: { columns: 80, rows: 24 }, now: NOON });
const happen = (state: State, event: DaemonEvent, now = NOON) => reduce(state, { type: 'event', event, now });
const status = (change: Partial<typeof STATUS>): DaemonEvent => ({
  topic: 'status',
  status: { ...STATUS, ...change },
  pulls: [],
  agent: NO_RUNS,
});

describe('the rate of tokens', () => {
  test('is what was counted between two statuses, for each second', () => {
    const first = happen(begin, status({ uptime_seconds: 10 }));
    expect(first.tokensPerSecond).toBe(0);
    const served = { requests: 14, generated_tokens: 3480, spent: 0.0125 };
    const second = happen(first, status({ uptime_seconds: 12, served }));
    expect(second.tokensPerSecond).toBe(40);
  });

  test('a daemon that was started anew begins a count, and is no negative rate', () => {
    const before = happen(begin, status({ uptime_seconds: 100 }));
    const served = { requests: 0, generated_tokens: 0, spent: 0 };
    const after = happen(before, status({ boot_id: 'other', uptime_seconds: 1, served }));
    expect(after.tokensPerSecond).toBe(before.tokensPerSecond);
    expect(after.status?.boot_id).toBe('other');
  });
});

test('a status makes the connection live, and a loss keeps what was known', () => {
  const known = happen(begin, status({}));
  expect(known.connection).toEqual({ kind: 'live' });
  const lost = reduce(known, {
    type: 'connection',
    connection: { kind: 'lost', reason: 'gone', retryAt: NOON },
    now: NOON,
  });
  expect(lost.status).toBe(known.status);
});

test('whatever comes, what is kept stays bounded, newest last', () => {
  const event = fc.oneof(
    fc.record({ topic: fc.constant('log' as const), line: fc.string() }),
    fc.record({ topic: fc.constant('gap' as const), missed: fc.nat() }),
    fc.nat(10_000).map((tokens) =>
      status({
        uptime_seconds: tokens,
        served: { requests: tokens, generated_tokens: tokens, spent: tokens },
      }),
    ),
  );
  fc.assert(
    fc.property(fc.array(event, { minLength: 600, maxLength: 800 }), (events) => {
      const state = events.reduce((each, next) => happen(each, next), begin);
      expect(state.logs.length).toBeLessThanOrEqual(KEPT_MAX);
      expect(state.events.length).toBeLessThanOrEqual(KEPT_MAX);
      expect(state.tokensPerSecond).toBeGreaterThanOrEqual(0);
      expect(state.logs.map(({ number }) => number)).toEqual(
        state.logs.map((_, index) => state.logCount - state.logs.length + 1 + index),
      );
    }),
    { numRuns: 20 },
  );
});

test('a sample that grows takes its own place, the next one follows, and an hour is kept', () => {
  const sample = (second: number, tokens: number): ActivitySample => ({
    ...{ at: new Date(NOON + second * 1000).toISOString(), seconds: 1, requests: 1, spent: 0 },
    ...{ generated_tokens: tokens, first_token_seconds: null, memory_bytes: 1, models: [] },
  });
  const add = (state: State, activity: ActivitySample) =>
    happen(state, { topic: 'status', status: STATUS, activity, pulls: [], agent: NO_RUNS });
  const tokensOf = ({ data }: State) => data.activity?.map((each) => each.generated_tokens);
  const grown = add(add(add(begin, sample(0, 5)), sample(0, 9)), sample(10, 2));
  expect(tokensOf(grown)).toEqual([9, 2]);
  const long = Array.from({ length: 400 }, (_, index) => sample(20 + index * 10, index)).reduce(add, grown);
  expect(long.data.activity).toHaveLength(SAMPLES_MAX);
  expect(tokensOf(long)?.at(-1)).toBe(399);
});

test('a line of the log that is no entry is kept as an error', () => {
  const { logs } = happen(begin, { topic: 'log', line: 'Segmentation fault' });
  expect(logs[0]?.entry).toEqual({ level: 50, msg: 'Segmentation fault' });
});

test('news goes by itself, a dialog does not', () => {
  const toast = { text: 'done', tone: 'good', until: NOON + 1000 } as const;
  const shown = reduce(begin, { type: 'toast', toast });
  const asked = reduce(shown, {
    type: 'dialog',
    dialog: { kind: 'secret', title: 't', secret: 's', note: 'n' },
  });
  expect(reduce(asked, { type: 'tick', now: NOON + 500 }).toast).toEqual(toast);
  const later = reduce(asked, { type: 'tick', now: NOON + 1000 });
  expect(later.toast).toBeUndefined();
  expect(later.dialog?.kind).toBe('secret');
});

test('the screen before is remembered, and going where one is changes nothing', () => {
  const there = reduce(begin, { type: 'go', screen: 'wallet' });
  expect([there.screen, there.earlier]).toEqual(['wallet', 'overview']);
  expect(reduce(there, { type: 'go', screen: 'wallet' })).toBe(there);
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DaemonEvent } from '../../../../src/api/management/events.ts';
import { reduce } from '../../../../cli/tui/state/reduce.ts';
import { initialState, KEPT_MAX, SAMPLES_MAX, type State } from '../../../../cli/tui/state/state.ts';
import { NO_RUNS, NOON, STATUS } from '../../../helpers/terminal/tui.tsx';

const begin = initialState({ screen: 'overview', size: { columns: 80, rows: 24 }, now: NOON });
const happen = (state: State, event: DaemonEvent, now = NOON) => reduce(state, { type: 'event', event, now });
const status = (change: Partial<typeof STATUS>): DaemonEvent => ({
  topic: 'status',
  status: { ...STATUS, ...change },
  pulls: [],
  agent: NO_RUNS,
});

describe('rates', () => {
  test('are what was counted between two statuses, for each second', () => {
    const first = happen(begin, status({ uptime_seconds: 10 }));
    expect(first.samples.tokens).toEqual([]);
    const served = { requests: 14, generated_tokens: 3480, spent: 0.0125 };
    const second = happen(first, status({ uptime_seconds: 12, served }));
    expect(second.samples.tokens).toEqual([40]);
    expect(second.samples.requests).toEqual([1]);
    expect(second.samples.spent[0]).toBeCloseTo(0.0001);
  });

  test('a daemon that was started anew begins a count, and is no negative rate', () => {
    const before = happen(begin, status({ uptime_seconds: 100 }));
    const served = { requests: 0, generated_tokens: 0, spent: 0 };
    const after = happen(before, status({ boot_id: 'other', uptime_seconds: 1, served }));
    expect(after.samples).toEqual(before.samples);
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
      expect(state.samples.tokens.length).toBeLessThanOrEqual(SAMPLES_MAX);
      expect(state.samples.tokens.every((each) => each >= 0)).toBe(true);
      expect(state.logs.map(({ number }) => number)).toEqual(
        state.logs.map((_, index) => state.logCount - state.logs.length + 1 + index),
      );
    }),
    { numRuns: 20 },
  );
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

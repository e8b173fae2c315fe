import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Bucket } from '../../../src/base/whole-hours.ts';
import { createUsageReport, type UsageGroup } from '../../../src/inference/usage-report.ts';
import { MIGRATIONS } from '../../../src/store/migrations.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import {
  answer,
  chat,
  costOf,
  fails,
  openWithCredit,
  PROMPT,
  runAll,
} from '../../helpers/accounts/metering.ts';
import { ACCOUNT } from '../../helpers/accounts/wallet.ts';
import { settableClock } from '../../helpers/clock.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const HOUR_MS = 3_600_000;
const START = Date.parse('2026-11-01T00:00:00Z');

type Request = {
  atMs: number;
  account: string;
  model: string;
  task: string;
  key: string | null;
  outcome: string;
  tokens: number;
  costN: number;
};

describe('a usage report', () => {
  test('has each request that was metered, with its tokens and its charge', async () => {
    const parts = openWithCredit({ clock: settableClock(START + 90 * 60_000) });
    const report = createUsageReport(parts);
    await runAll(parts, chat(500), answer(20));
    await expect(runAll(parts, chat(500), answer(5, fails))).rejects.toThrow();
    expect(report(ACCOUNT, { key: 'key_other' }).data).toEqual([]);
    const [ofKey] = report(ACCOUNT, { group_by: 'key' }).data as { key?: string }[];
    expect(report(ACCOUNT, { key: ofKey?.key ?? '' }).total.requests).toBe(2);
    expect(report(ACCOUNT, { bucket: 'hour', group_by: 'model' })).toMatchObject({
      to: '2026-11-01T02:00:00.000Z',
      data: [
        {
          start: '2026-11-01T01:00:00.000Z',
          model: 'svc-chat-v1',
          requests: 2,
          failed_requests: 1,
          prompt_tokens: 2 * PROMPT,
          completion_tokens: 25,
          credits: Number((costOf(20) + costOf(5)).toFixed(9)),
        },
      ],
      total: { requests: 2 },
    });
  });

  test('covers thirty days by default, today included', () => {
    const { store } = openWithCredit();
    const report = createUsageReport({ store, clock: settableClock(START + 10.5 * HOUR_MS) });
    expect(report(ACCOUNT, {})).toMatchObject({
      from: '2026-10-03T00:00:00.000Z',
      to: '2026-11-01T11:00:00.000Z',
      bucket: 'day',
      group_by: null,
      data: [],
      total: { requests: 0, credits: 0 },
    });
  });

  test.each([
    [{ from: '2026-11-02T00:00:00Z', to: '2026-11-01T00:00:00Z' }, 'to'],
    [{ from: '2026-01-01T00:00:00Z', bucket: 'hour' as const }, 'from'],
    [{ from: '0001-01-01T00:00:00Z' }, 'from'],
  ])('refuses %j by its parameter %s', (question, param) => {
    const { store } = openWithCredit();
    const report = createUsageReport({ store, clock: settableClock(START) });
    expect(() => report(ACCOUNT, question)).toThrow(
      expect.objectContaining({ code: 'invalid_value', param }),
    );
  });

  test('agrees with the requests themselves, whatever they are and however it is asked', () => {
    fc.assert(
      fc.property(requests, question, (rows, { from, hours, bucket, group }) => {
        const { store } = openWithCredit();
        rows.forEach((row, index) => insert(store, row, index));
        const report = createUsageReport({ store, clock: settableClock(START) });
        const fromMs = START + from * HOUR_MS;
        const toMs = fromMs + hours * HOUR_MS;
        const { data, total } = report('acct_a', {
          from: new Date(fromMs).toISOString(),
          to: new Date(toMs).toISOString(),
          bucket,
          ...(group && { group_by: group }),
        });
        const wanted = rows.filter(
          ({ account, atMs }) => account === 'acct_a' && START + atMs >= fromMs && START + atMs < toMs,
        );
        const groupOf = (row: Request) => (group === undefined ? '' : (row[group] ?? ''));
        const groups = new Map<string, Request[]>();
        for (const row of wanted) {
          const name = `${startOf(START + row.atMs, fromMs, bucket)} ${groupOf(row)}`;
          groups.set(name, [...(groups.get(name) ?? []), row]);
        }
        const counted = data.map((row) => [
          `${row.start} ${group === undefined ? '' : ((row as Record<string, unknown>)[group] as string)}`,
          row.requests,
          row.completion_tokens,
          row.failed_requests,
          Math.round(row.credits * 1e9),
        ]);
        expect(new Map(counted.map(([name, ...sums]) => [name, sums]))).toEqual(
          new Map([...groups].map(([name, of]) => [name, sumsOf(of)])),
        );
        expect(counted).toHaveLength(groups.size);
        expect([total.requests, total.completion_tokens]).toEqual(sumsOf(wanted).slice(0, 2));
      }),
      { numRuns: 60 },
    );
  });

  test('has the requests from before reports were stored', () => {
    const path = join(temporaryFolder(), 'askd.db');
    const earlier = MIGRATIONS.findIndex((sql) => sql.includes('CREATE TABLE usage_hours'));
    const before = openStore(path, MIGRATIONS.slice(0, earlier));
    const rows = fc.sample(requests, { numRuns: 1, seed: 7 })[0] ?? [];
    rows.forEach((row, index) => insert(before, row, index));
    before.close();
    using store = openForTest(path);
    const report = createUsageReport({ store: store.store, clock: settableClock(START) });
    const whole = { from: new Date(START).toISOString(), to: new Date(START + 200 * HOUR_MS).toISOString() };
    const mine = rows.filter(({ account }) => account === 'acct_a');
    expect(mine.length).toBeGreaterThan(0);
    expect(report('acct_a', { ...whole, bucket: 'all' }).total).toMatchObject({
      requests: mine.length,
      completion_tokens: mine.reduce((sum, { tokens }) => sum + tokens, 0),
    });
  });
});

const requests = fc.array(
  fc.record<Request>({
    atMs: fc.integer({ min: 0, max: 100 * HOUR_MS }),
    account: fc.constantFrom('acct_a', 'acct_a', 'acct_b'),
    model: fc.constantFrom('svc-chat-v1', 'svc-embed-v1', 'mine'),
    task: fc.constantFrom('chat', 'embed'),
    key: fc.constantFrom(null, 'key_1', 'key_2'),
    outcome: fc.constantFrom('finished', 'disconnected', 'failed'),
    tokens: fc.nat(5_000),
    costN: fc.nat(1_000_000),
  }),
  { minLength: 5, maxLength: 60 },
);

const question = fc.record({
  from: fc.integer({ min: -30, max: 90 }),
  hours: fc.integer({ min: 1, max: 120 }),
  bucket: fc.constantFrom<Bucket>('hour', 'day', 'all'),
  group: fc.constantFrom<UsageGroup | undefined>(undefined, 'model', 'task', 'key'),
});

function openForTest(path: string) {
  const store = openStore(path);
  return { store, [Symbol.dispose]: () => store.close() };
}

function insert(store: Store, row: Request, index: number): void {
  const { atMs, account, model, task, key, outcome, tokens, costN } = row;
  store
    .prepare(
      `INSERT INTO usage(id, account_id, key_id, task, model, artifact, prompt_tokens, cached_tokens, completion_tokens,
         outcome, started_at, duration_ms, cost_n) VALUES(?, ?, ?, ?, ?, 'a', 1, 0, ?, ?, ?, 1, ?)`,
    )
    .run(`req_${index}`, account, key, task, model, tokens, outcome, START + atMs, costN);
}

function startOf(atMs: number, fromMs: number, bucket: Bucket): string {
  const width = bucket === 'hour' ? HOUR_MS : 24 * HOUR_MS;
  return new Date(bucket === 'all' ? fromMs : Math.floor(atMs / width) * width).toISOString();
}

function sumsOf(rows: readonly Request[]): number[] {
  return [
    rows.length,
    rows.reduce((sum, { tokens }) => sum + tokens, 0),
    rows.filter(({ outcome }) => outcome === 'failed').length,
    rows.reduce((sum, { costN }) => sum + costN, 0),
  ];
}

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDaemon, type TestDaemon } from '../../../helpers/daemon/daemon.ts';
import { announce, runCli } from '../../../helpers/terminal/cli.ts';

let daemon: TestDaemon;
const askd = (line: string) => runCli(line.split(' '), { home: daemon.home });

beforeAll(async () => {
  daemon = await openDaemon();
  announce(daemon);
});
afterAll(() => daemon.close());

describe('usage', () => {
  test('shows days with a total, and rows by model, key or task', async () => {
    const { store } = daemon.services;
    const rows = [
      ['2026-11-01T10:00:00Z', 'svc-chat-v1', 'finished', 2_000_000],
      ['2026-11-01T11:30:00Z', 'svc-embed-v1', 'failed', 0],
      ['2026-11-03T00:00:00Z', 'svc-chat-v1', 'finished', 1_000_000],
    ] as const;
    rows.forEach(([at, model, outcome, costN], index) =>
      store.prepare(INSERT_USAGE).run(`req_usage_${index}`, model, outcome, Date.parse(at), costN),
    );
    const range = '--from 2026-11-01 --to 2026-11-04';
    expect((await askd(`usage ${range}`)).stdout).toBe(
      [
        'DAY (UTC)   REQUESTS  FAILED  TOKENS IN  TOKENS OUT  CREDITS',
        '2026-11-01         2       1         20          10    0.002',
        '2026-11-03         1       0         10           5    0.001',
        'total              3       1         30          15    0.003',
        '',
      ].join('\n'),
    );
    expect((await askd(`usage ${range} --by model --bucket all --plain`)).stdout).toBe(
      'svc-chat-v1\t2\t0\t20\t10\t0.003\nsvc-embed-v1\t1\t1\t10\t5\t0.00\ntotal\t3\t1\t30\t15\t0.003\n',
    );
    expect((await askd(`usage ${range} --by key --bucket all`)).stdout).toContain('(no key)         3');
    expect(JSON.parse((await askd(`usage ${range} --json`)).stdout)).toMatchObject({
      schema: 'usage/1',
      bucket: 'day',
      total: { requests: 3 },
    });
  });

  test('says that there was no usage, and rejects an invalid duration', async () => {
    expect((await askd('usage --from 2020-01-01 --to 2020-02-01')).stdout).toBe(
      'No requests from 2020-01-01 00:00 to 2020-02-01 00:00 UTC.\n',
    );
    const { code, stderr } = await askd('usage --since soon');
    expect([code, stderr]).toEqual([2, expect.stringContaining('12h or 7d')]);
  });
});

const INSERT_USAGE = `
  INSERT INTO usage(id, account_id, task, model, artifact, prompt_tokens, cached_tokens, completion_tokens, outcome,
    started_at, duration_ms, cost_n) VALUES(?, 'acct_local', 'chat', ?, 'a', 10, 0, 5, ?, ?, 1, ?)`;

import path from 'node:path';
import { systemClock } from '../../../src/base/clock.ts';
import { createUsageReport, type UsageQuestion } from '../../../src/inference/usage-report.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { median } from '../overhead/timing.ts';
import type { Figure } from './report.ts';

const ACCOUNT = 'acct_bench';
const YEAR_MS = 365 * 24 * 3_600_000;
const RUNS = 21;
const GOAL = { atMost: 20 };

/** Reports over a year of requests by five keys to four models, beside the same sums over the requests themselves. */
export function measureUsage(folder: string, requests: number): Figure[] {
  const store = openStore(path.join(folder, 'usage.db'));
  try {
    const from = Date.now() - YEAR_MS;
    process.stderr.write(`writing ${requests} requests of a year\n`);
    store.prepare(FILL).run({ account: ACCOUNT, requests, from, step: YEAR_MS / requests });
    const report = createUsageReport({ store, clock: systemClock });
    const year = { from: new Date(from + 24 * 3_600_000).toISOString() };
    const month = { from: new Date(Date.now() - 31 * 24 * 3_600_000).toISOString() };
    const questions: [string, UsageQuestion][] = [
      ['a year by day and model', { ...year, bucket: 'day', group_by: 'model' }],
      ['a year by key', { ...year, bucket: 'all', group_by: 'key' }],
      ['a month by hour and key', { ...month, bucket: 'hour', group_by: 'key' }],
      ['thirty days', {}],
    ];
    const timed = questions.map(([label, question]) => ({
      label,
      ...timesOf(() => report(ACCOUNT, question)),
    }));
    const scanMs = timesOf(() => scan(store)).median;
    const ratio = scanMs / (timed[0]?.median ?? NaN);
    return [
      ...timed.map(({ label, most }): Figure => ({
        label: `usage of ${label}, slowest of ${RUNS}`,
        unit: 'ms',
        value: most,
        goal: GOAL,
      })),
      { label: 'the first of these from the requests themselves / from totals', unit: 'x', value: ratio },
    ];
  } finally {
    store.close();
  }
}

function scan(store: Store): void {
  store
    .prepare(
      `SELECT started_at / 86400000, model, count(*), sum(prompt_tokens), sum(completion_tokens), sum(cost_n)
       FROM usage WHERE account_id = ? AND started_at > 0 GROUP BY 1, 2`,
    )
    .all(ACCOUNT);
}

function timesOf(work: () => unknown): { median: number; most: number } {
  const times = Array.from({ length: RUNS }, () => {
    const startedAt = performance.now();
    work();
    return performance.now() - startedAt;
  });
  return { median: median(times), most: Math.max(...times) };
}

const FILL = `
  WITH RECURSIVE row(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM row WHERE i < @requests - 1)
  INSERT INTO usage(id, account_id, key_id, task, model, artifact, prompt_tokens, cached_tokens, completion_tokens,
    outcome, started_at, duration_ms, cost_n)
  SELECT printf('req_%026d', i), @account, 'key_' || abs(random() % 5), 'chat', 'svc-chat-v' || abs(random() % 4), 'a',
    20, 5, 30, iif(i % 50, 'finished', 'failed'), CAST(@from + i * @step AS INTEGER), 9, 8000 FROM row`;

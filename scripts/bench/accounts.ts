import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { measureLedger } from './accounts/ledger.ts';
import { reportLines, type Figure } from './accounts/report.ts';
import { measureRoutes } from './accounts/routes.ts';
import { measureUsage } from './accounts/usage.ts';

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
});
const plan = options.quick
  ? { rounds: 3, seconds: 1, requests: 300, transactions: 100_000, holds: 10_000 }
  : { rounds: 5, seconds: 2, requests: 2000, transactions: 1_000_000, holds: 100_000 };

const folder = await mkdtemp(path.join(tmpdir(), 'askd-bench-accounts-'));
try {
  const load = [loadavg()[0] ?? 0];
  const figures: Figure[] = [
    ...(await measureLedger(folder, plan)),
    ...measureUsage(folder, plan.transactions),
    ...(await measureRoutes(plan)),
  ];
  load.push(loadavg()[0] ?? 0);
  if (options.json) console.log(JSON.stringify({ plan, load, figures }, null, 2));
  else {
    const [from, to] = load.map((value) => value.toFixed(1));
    console.log(`${availableParallelism()} cores, load ${from} to ${to}`);
    console.log(reportLines(figures).join('\n'));
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

import { statSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { systemClock } from '../../../src/base/clock.ts';
import { createEvents } from '../../../src/events/events.ts';
import { createNotices } from '../../../src/events/notices.ts';
import { createCharges } from '../../../src/inference/charges/charge.ts';
import { createMetered, type MeteredRequest } from '../../../src/inference/metered.ts';
import { createKeyBudgets } from '../../../src/limits/key-budgets.ts';
import { createKeySpending } from '../../../src/limits/key-spending.ts';
import { createMonthlyQuota } from '../../../src/limits/monthly-quota.ts';
import { createRateLimits } from '../../../src/limits/rate-limits.ts';
import { createTiers } from '../../../src/limits/tiers.ts';
import { toNano } from '../../../src/base/money.ts';
import { createDeferredWrites } from '../../../src/store/deferred-writes.ts';
import { openStore } from '../../../src/store/store.ts';
import { auditLedger } from '../../../src/wallet/audit.ts';
import { createWallet } from '../../../src/wallet/wallet.ts';
import { fillLedger } from './fill.ts';
import { percentile, type Figure } from './report.ts';

const ACCOUNT = 'acct_bench';
const READS = 300;

type Plan = { requests: number; transactions: number; holds: number };

/**
 * The cost of a request without its model, on a small and on a large ledger, in a real file that is synced at each
 * commit.
 */
export async function measureLedger(folder: string, plan: Plan): Promise<Figure[]> {
  const file = path.join(folder, 'askd.db');
  const figures: Figure[] = [];
  using small = openAccount(file);
  figures.push(...(await measureRequests('an empty ledger', small, plan.requests)));
  print(`writing ${plan.transactions} transactions and ${plan.holds} holds`);
  fillLedger(small.store, { accountId: ACCOUNT, transactions: plan.transactions, holds: plan.holds });
  // Years of use leave no journal as large as that of the filling, which closing puts away.
  small.store.close();
  print('opening it again');
  const size = `${plan.transactions.toLocaleString('en')} transactions`;
  const opened = timed(() => openAccount(file));
  using large = opened.value;
  figures.push(
    ...(await measureRequests(size, large, plan.requests)),
    ...measureReads(size, large),
    { label: `opening the database, ${size}`, unit: 'ms', value: opened.ms },
    { label: `size of the database, ${size}`, unit: 'MB', value: statSync(file).size / 1e6 },
  );
  print('auditing it');
  const audit = timed(() => auditLedger(large.store));
  if (audit.value.findings.length > 0) throw new Error(JSON.stringify(audit.value.findings));
  return [...figures, { label: `the whole audit, ${size}`, unit: 'ms', value: audit.ms }];
}

/** Everything the daemon keeps for an account, in the profile `personal`. */
function openAccount(file: string) {
  const store = openStore(file);
  const clock = systemClock;
  const events = createEvents({ store, clock });
  const notices = createNotices({ store, clock });
  const wallet = createWallet({ store, events, notices, clock, bootId: 'bench' });
  const tiers = createTiers({ store, events, clock });
  const budgets = createKeyBudgets({ store, clock });
  const rates = createRateLimits({ store, events, tiers, budgets, clock });
  const quota = createMonthlyQuota({ store, tiers, clock });
  if (tiers.profileOf(ACCOUNT) === undefined) {
    tiers.setProfile(ACCOUNT, 'personal');
    tiers.set(ACCOUNT, 'enterprise', { rpm: 1e9, tpm: 1e12 });
    const posting = {
      accountId: ACCOUNT,
      type: 'bonus',
      amountN: toNano(1000),
      description: 'Start',
    } as const;
    store.transaction(() => wallet.credit({ ...posting, refType: 'bench', refId: 'start' }));
  }
  const deferred = createDeferredWrites({ log: { error: console.error, info: () => undefined } });
  const spendingOf = createKeySpending({ budgets });
  const parts = { store, deferred, events, notices, tiers, rates, quota, spendingOf, wallet };
  const charges = createCharges(parts);
  const metered = createMetered({ store, events, clock, charges, refundFailed: false });
  return { store, wallet, metered, [Symbol.dispose]: () => store.close() };
}

type Account = ReturnType<typeof openAccount>;

/** Admission, hold and settlement of one request after another, each in a turn of its own; the model takes no time. */
async function measureRequests(size: string, { metered }: Account, requests: number): Promise<Figure[]> {
  print(`${requests} requests on ${size}`);
  const latencies: number[] = [];
  for (let count = 0; count < requests; count++) {
    const from = performance.now();
    await metered.once(request(), (meter) => {
      Object.assign(meter, { promptTokens: 20, completionTokens: 30 });
      return Promise.resolve();
    });
    latencies.push(performance.now() - from);
    await nextTurn();
  }
  const label = `admission, hold and settlement, ${size}`;
  return [
    { label: `${label}, median`, unit: 'ms', value: percentile(latencies, 0.5) },
    { label: `${label}, p99`, unit: 'ms', value: percentile(latencies, 0.99), goal: { atMost: 2 } },
  ];
}

let requestNumber = 0;

function request(): MeteredRequest {
  requestNumber += 1;
  const who = {
    requestId: `req_bench_${process.pid}_${requestNumber}`,
    accountId: ACCOUNT,
    keyId: 'key_bench',
  };
  const what = { task: 'chat', model: 'svc-chat-v1', artifact: 'a', stream: false } as const;
  return { ...who, ...what, counts: { promptTokens: 20 }, completionTokensMax: 200 };
}

function measureReads(size: string, { wallet }: Account): Figure[] {
  const middle = wallet.transactions(ACCOUNT, { limit: 1000 }).at(-1)?.id ?? '';
  const reads: [string, () => unknown][] = [
    ['balance', () => wallet.balance(ACCOUNT)],
    ['a page of transactions', () => wallet.transactions(ACCOUNT)],
    ['a page further back', () => wallet.transactions(ACCOUNT, { before: middle })],
    ['a page of usage', () => wallet.transactions(ACCOUNT, { type: 'usage' })],
    ['a page of top-ups', () => wallet.transactions(ACCOUNT, { type: 'topup' })],
    ['a page of bonuses', () => wallet.transactions(ACCOUNT, { type: 'bonus' })],
    ['a page of refunds', () => wallet.transactions(ACCOUNT, { type: 'refund' })],
  ];
  return reads.map(([name, read]) => {
    const latencies = Array.from({ length: READS }, () => timed(read).ms);
    return {
      label: `${name}, ${size}, p99`,
      unit: 'ms',
      value: percentile(latencies, 0.99),
      goal: { atMost: 5 },
    };
  });
}

function timed<Value>(work: () => Value): { value: Value; ms: number } {
  const from = performance.now();
  const value = work();
  return { value, ms: performance.now() - from };
}

function print(text: string): void {
  process.stderr.write(`${text}\n`);
}

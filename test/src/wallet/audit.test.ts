import { expect, test } from 'vitest';
import { toNano } from '../../../src/base/money.ts';
import { auditLedger } from '../../../src/wallet/audit.ts';
import { ACCOUNT, openWallet } from '../../helpers/accounts/wallet.ts';

const one = toNano(1);

/** A ledger with every kind of row; one request is still running. */
async function busyLedger() {
  const parts = openWallet();
  const { store, wallet, metered } = parts;
  parts.credit(10);
  const request = {
    requestId: 'req_1',
    accountId: ACCOUNT,
    keyId: null,
    task: 'chat',
    model: 'm',
    artifact: 'a',
    stream: false,
  } as const;
  await metered.once({ ...request, counts: { promptTokens: 5 }, completionTokensMax: 5 }, (meter) => {
    Object.assign(meter, { promptTokens: 5, completionTokens: 5 });
    return Promise.resolve();
  });
  const open = (id: string) =>
    store.transaction(() => wallet.holds.open(ACCOUNT, id, { leastN: one, wantN: one }));
  store.transaction(() => wallet.holds.release(open('req_2')));
  open('req_3');
  return parts;
}

test('a correct ledger has no findings, and its entries are counted', async () => {
  const { store } = await busyLedger();
  expect(auditLedger(store)).toEqual({ wallets: 1, transactions: 2, open_holds: 1, findings: [] });
});

/** The owner of the file can drop its triggers. */
const TRIGGERS = "SELECT name FROM sqlite_schema WHERE type = 'trigger'";

test.each([
  ['UPDATE wallets SET posted_n = posted_n + 1', 'the balance is the sum of all transactions'],
  [
    'UPDATE wallet_transactions SET balance_after_n = 7 WHERE seq = 2',
    'each transaction states the balance after it',
  ],
  ['DELETE FROM wallet_transactions WHERE seq = 1', 'the transactions are numbered from 1 without a gap'],
  ['UPDATE wallets SET last_seq = 9', 'the transactions are numbered from 1 without a gap'],
  ['UPDATE wallets SET held_n = held_n - 1', 'what is held is the sum of the open holds'],
  ["DELETE FROM holds WHERE state = 'open'", 'what is held is the sum of the open holds'],
  ['UPDATE wallet_months SET spent_n = 0', 'the months together spent what the usage transactions took'],
  ['UPDATE wallet_months SET held_n = 0', 'the months together hold what the wallet holds'],
  [
    "UPDATE holds SET state = 'released' WHERE state = 'settled'",
    'a settled hold has one transaction of its cost, any other has none',
  ],
  [
    "UPDATE holds SET cost_n = cost_n - 1 WHERE state = 'settled'",
    'a settled hold has one transaction of its cost, any other has none',
  ],
  ["DELETE FROM holds WHERE state = 'settled'", 'every usage transaction belongs to a hold'],
  ['UPDATE usage SET cost_n = cost_n + 1', 'a finished request was charged what its record says'],
  ['UPDATE usage SET cost_n = 0', 'a finished request was charged what its record says'],
  ['DELETE FROM usage', 'a settled hold has the record of its request'],
  ['UPDATE usage_hours SET cost_n = cost_n + 1', 'usage_hours has the sums of the requests'],
  ['DELETE FROM usage_days', 'usage_days has the sums of the requests'],
])('%s is found', async (sql, invariant) => {
  const { store, findings } = await busyLedger();
  for (const { name } of store.prepare<{ name: string }>(TRIGGERS).all())
    store.prepare(`DROP TRIGGER ${name}`).run();
  store.prepare('PRAGMA foreign_keys = OFF').run();
  expect(store.prepare(sql).run().changes).toBeGreaterThan(0);
  expect(findings().map((finding) => finding.invariant)).toContain(invariant);
});

test('a refund of more than was paid is found', async () => {
  const { store, wallet, findings } = await busyLedger();
  const [usage] = wallet.transactions(ACCOUNT, { type: 'usage' });
  const refund = {
    accountId: ACCOUNT,
    type: 'refund',
    amountN: one,
    description: '',
    refType: 'usage',
    refId: usage?.id ?? '',
  } as const;
  store.transaction(() => wallet.credit(refund));
  expect(findings().map(({ invariant }) => invariant)).toEqual(['a refund is never more than what was paid']);
});

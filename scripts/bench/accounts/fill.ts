import { monthOf } from '../../../src/base/money.ts';
import type { Store } from '../../../src/store/store.ts';

const COST_N = 8000;
/** One row in this many is a top-up, which pays for the others. */
const TOPUP_EVERY = 100;

type Size = { accountId: string; transactions: number; holds: number };

/**
 * A ledger like one left by years of use: usage with its holds and records, a top-up now and then, and some holds
 * that cost nothing. The triggers that check each new row are disabled in the meantime; the audit then verifies the
 * result.
 */
export function fillLedger(store: Store, { accountId, transactions, holds }: Size): void {
  const now = Date.now();
  const size = {
    accountId,
    transactions,
    holds,
    costN: COST_N,
    topupEvery: TOPUP_EVERY,
    month: monthOf(now),
    now,
  };
  const guards = store.prepare<{ name: string; sql: string }>(GUARDS).all();
  store.transaction(() => {
    for (const { name } of guards) store.prepare(`DROP TRIGGER ${name}`).run();
    for (const sql of STEPS) store.prepare(sql).run(size);
    for (const { sql } of guards) store.prepare(sql).run();
  });
}

const GUARDS = `
  SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND sql LIKE '%BEFORE INSERT%'`;

const ROWS = 'WITH RECURSIVE row(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM row WHERE i < @transactions)';
const ID = "printf('%026d', i)";
const IS_USAGE = 'i % @topupEvery <> 0';

const STEPS = [
  `${ROWS} INSERT INTO holds(id, account_id, request_id, amount_n, cost_n, state, month, boot_id, created_at, closed_at)
   SELECT 'hold_' || ${ID}, @accountId, 'req_' || ${ID}, @costN, @costN, 'settled', @month, 'bench', @now, @now
   FROM row WHERE ${IS_USAGE}`,

  `WITH RECURSIVE row(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM row WHERE i < @holds)
   INSERT INTO holds(id, account_id, request_id, amount_n, state, month, boot_id, created_at, closed_at)
   SELECT 'free_' || ${ID}, @accountId, 'req_free_' || ${ID}, @costN, 'released', @month, 'bench', @now, @now FROM row`,

  `${ROWS} INSERT INTO usage(id, account_id, key_id, task, model, artifact, prompt_tokens, cached_tokens,
     completion_tokens, outcome, started_at, duration_ms, cost_n)
   SELECT 'req_' || ${ID}, @accountId, 'key_bench', 'chat', 'svc-chat-v1', 'a', 20, 0, 30, 'finished', @now, 9, @costN
   FROM row WHERE ${IS_USAGE}`,

  `${ROWS} INSERT INTO wallet_transactions(account_id, seq, id, type, amount_n, balance_after_n, description, ref_type,
     ref_id, created_at)
   SELECT @accountId, w.last_seq + i, 'txn_' || ${ID}, iif(${IS_USAGE}, 'usage', 'topup'),
     iif(${IS_USAGE}, -@costN, (@topupEvery - 1) * @costN), w.posted_n - (i % @topupEvery) * @costN,
     'svc-chat-v1: 20 tokens in, 30 tokens out', iif(${IS_USAGE}, 'hold', 'bench'), 'hold_' || ${ID}, @now
   FROM row JOIN wallets w ON w.account_id = @accountId`,

  `UPDATE wallet_months SET spent_n = spent_n + @costN *
     (SELECT count(*) FROM wallet_transactions WHERE account_id = @accountId AND id LIKE 'txn_0000%' AND type = 'usage')
   WHERE account_id = @accountId AND month = @month`,

  `UPDATE wallets SET (last_seq, posted_n) = (SELECT seq, balance_after_n FROM wallet_transactions
     WHERE account_id = @accountId ORDER BY seq DESC LIMIT 1),
     last_credit_seq = (SELECT max(seq) FROM wallet_transactions WHERE account_id = @accountId AND type <> 'usage')
   WHERE account_id = @accountId`,
];

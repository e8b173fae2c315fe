import type { Store } from '../store/store.ts';

export type AuditFinding = { invariant: string; detail: string };

export type AuditReport = {
  wallets: number;
  transactions: number;
  open_holds: number;
  findings: AuditFinding[];
};

/** Each query finds violations: if it returns no row, the invariant holds. */
const INVARIANTS: readonly { name: string; sql: string }[] = [
  {
    name: 'the balance is the sum of all transactions',
    sql: `SELECT w.account_id AS account, w.posted_n AS balance, coalesce(sum(t.amount_n), 0) AS transactions
          FROM wallets w LEFT JOIN wallet_transactions t USING(account_id) GROUP BY w.account_id
          HAVING balance <> transactions`,
  },
  {
    name: 'each transaction states the balance after it',
    sql: `SELECT id, balance_after_n AS stated, running FROM (
            SELECT id, balance_after_n, sum(amount_n) OVER (PARTITION BY account_id ORDER BY seq) AS running
            FROM wallet_transactions) WHERE stated <> running LIMIT 20`,
  },
  {
    name: 'the transactions are numbered from 1 without a gap',
    sql: `SELECT w.account_id AS account, w.last_seq, count(t.seq) AS rows, coalesce(max(t.seq), 0) AS highest
          FROM wallets w LEFT JOIN wallet_transactions t USING(account_id) GROUP BY w.account_id
          HAVING rows <> highest OR highest <> w.last_seq`,
  },
  {
    name: 'the balance was never below zero',
    sql: 'SELECT id, balance_after_n FROM wallet_transactions WHERE balance_after_n < 0 LIMIT 20',
  },
  {
    name: 'what is held is the sum of the open holds',
    sql: `SELECT w.account_id AS account, w.held_n AS held, coalesce(sum(h.amount_n), 0) AS open_holds
          FROM wallets w LEFT JOIN holds h ON h.account_id = w.account_id AND h.state = 'open'
          GROUP BY w.account_id HAVING held <> open_holds`,
  },
  {
    name: 'the months together spent what the usage transactions took',
    sql: `SELECT account, spent, used FROM (
            SELECT w.account_id AS account,
              (SELECT coalesce(sum(spent_n), 0) FROM wallet_months m WHERE m.account_id = w.account_id) AS spent,
              (SELECT coalesce(-sum(amount_n), 0) FROM wallet_transactions t
                 WHERE t.account_id = w.account_id AND type = 'usage') AS used
            FROM wallets w) WHERE spent <> used`,
  },
  {
    name: 'the months together hold what the wallet holds',
    sql: `SELECT account, held, months FROM (
            SELECT w.account_id AS account, w.held_n AS held,
              (SELECT coalesce(sum(held_n), 0) FROM wallet_months m WHERE m.account_id = w.account_id) AS months
            FROM wallets w) WHERE held <> months`,
  },
  {
    name: 'a settled hold has one transaction of its cost, any other has none',
    sql: `SELECT h.id, h.state, h.cost_n AS cost, t.amount_n AS transaction_amount
          FROM holds h LEFT JOIN wallet_transactions t
            ON t.type = 'usage' AND t.ref_type = 'hold' AND t.ref_id = h.id
          WHERE (h.state = 'settled' AND h.cost_n > 0 AND coalesce(t.amount_n, 0) <> -h.cost_n)
             OR ((h.state <> 'settled' OR h.cost_n = 0) AND t.id IS NOT NULL) LIMIT 20`,
  },
  {
    name: 'every usage transaction belongs to a hold',
    sql: `SELECT t.id FROM wallet_transactions t LEFT JOIN holds h ON h.id = t.ref_id
          WHERE t.type = 'usage' AND (t.ref_type <> 'hold' OR h.id IS NULL) LIMIT 20`,
  },
  {
    name: 'a refund is never more than what was paid',
    sql: `SELECT r.id, r.amount_n AS refunded, -u.amount_n AS paid
          FROM wallet_transactions r LEFT JOIN wallet_transactions u ON u.id = r.ref_id AND u.type = 'usage'
          WHERE r.type = 'refund' AND (u.id IS NULL OR r.amount_n > -u.amount_n) LIMIT 20`,
  },
  {
    name: 'a finished request was charged what its record says',
    sql: `SELECT u.id, u.cost_n AS cost, h.cost_n AS charged, h.state FROM usage u
          LEFT JOIN holds h ON h.request_id = u.id WHERE coalesce(h.cost_n, 0) <> u.cost_n LIMIT 20`,
  },
  {
    name: 'a settled hold has the record of its request',
    sql: `SELECT h.id, h.cost_n AS charged FROM holds h LEFT JOIN usage u ON u.id = h.request_id
          WHERE h.state = 'settled' AND u.id IS NULL LIMIT 20`,
  },
  ...['usage_hours', 'usage_days'].map(totalsInvariant),
];

function totalsInvariant(table: string): { name: string; sql: string } {
  return {
    name: `${table} has the sums of the requests`,
    sql: `SELECT account, sum(requests) AS missing_requests, sum(tokens) AS missing_tokens, sum(cost) AS missing_cost
          FROM (SELECT account_id AS account, count(*) AS requests, sum(prompt_tokens + completion_tokens) AS tokens,
                  sum(cost_n) AS cost FROM usage GROUP BY 1
                UNION ALL
                SELECT account_id, -sum(requests), -sum(prompt_tokens + completion_tokens), -sum(cost_n)
                FROM ${table} GROUP BY 1)
          GROUP BY 1 HAVING missing_requests <> 0 OR missing_tokens <> 0 OR missing_cost <> 0`,
  };
}

/** Recomputes the whole ledger from its rows in one snapshot, and reports mismatches. It changes nothing. */
export function auditLedger(store: Pick<Store, 'prepare'>): AuditReport {
  store.prepare('BEGIN').run();
  try {
    const count = (sql: string) => store.prepare<{ n: number }>(sql).get()?.n ?? 0;
    return {
      wallets: count('SELECT count(*) AS n FROM wallets'),
      transactions: count('SELECT count(*) AS n FROM wallet_transactions'),
      open_holds: count("SELECT count(*) AS n FROM holds WHERE state = 'open'"),
      findings: INVARIANTS.flatMap(({ name, sql }) =>
        store
          .prepare<Record<string, unknown>>(sql)
          .all()
          .map((row) => ({ invariant: name, detail: describe(row) })),
      ),
    };
  } finally {
    store.prepare('COMMIT').run();
  }
}

function describe(row: Record<string, unknown>): string {
  return Object.entries(row)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ');
}

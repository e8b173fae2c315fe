import { toIso, type Clock } from '../base/clock.ts';
import { Failure } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { formatCredits, NANO_MAX, toCredits } from '../base/money.ts';
import type { Store } from '../store/store.ts';

export const TRANSACTION_TYPES = ['topup', 'usage', 'refund', 'bonus'] as const;
export type TransactionType = (typeof TRANSACTION_TYPES)[number];

/** What a row refers to. There cannot be a second row with the same type and reference. */
export type Reference = { refType: string; refId: string };

export type Posting = Reference & {
  accountId: string;
  type: TransactionType;
  amountN: number;
  description: string;
  meta?: Record<string, unknown>;
};

/** A change of the balance, reported inside its transaction. */
export type BalanceChange = { accountId: string; type: TransactionType; beforeN: number; afterN: number };
export type BalanceWatcher = (change: BalanceChange) => void;

export type TransactionPage = { limit?: number; before?: string; type?: TransactionType };

export type Ledger = ReturnType<typeof createLedger>;

const PAGE_SIZE = 50;

/** The append-only ledger. Every method that writes belongs inside a transaction. */
export function createLedger({ store, clock }: { store: Store; clock: Clock }) {
  const watchers: BalanceWatcher[] = [];

  /** Adds credits once per reference; the second time it changes nothing and returns false. */
  function credit({ accountId, ...posting }: Posting & { type: Exclude<TransactionType, 'usage'> }): boolean {
    const { type, refType, refId, amountN } = posting;
    if (store.prepare(FIND_REFERENCE).get(type, refType, refId) !== undefined) return false;
    if (!Number.isSafeInteger(amountN) || amountN <= 0)
      throw new Error(`${amountN} is not an amount that can be credited`);
    store.prepare(ENSURE_WALLET).run(accountId);
    const wallet = store.prepare<WalletRow>(CREDIT).get({ accountId, amountN, most: NANO_MAX });
    if (!wallet) throw tooMuch();
    append({ accountId, ...posting }, wallet);
    return true;
  }

  /** Records a charge that was already deducted from the wallet's row. */
  function append(posting: Posting, { posted_n: afterN, last_seq: seq }: WalletRow): string {
    const now = clock.now();
    const id = newId('txn', now);
    const { accountId, type, amountN, meta = null } = posting;
    store.prepare(INSERT).run({
      ...posting,
      id,
      seq,
      afterN,
      meta: meta && JSON.stringify(meta),
      now,
    });
    for (const watch of watchers) watch({ accountId, type, beforeN: afterN - amountN, afterN });
    return id;
  }

  /** Newest first. `before` is the id of a transaction: the page starts after it. */
  function page(accountId: string, { limit = PAGE_SIZE, before, type }: TransactionPage = {}) {
    const end = before === undefined ? Number.MAX_SAFE_INTEGER : sequenceOf(accountId, before);
    const sql = pageSql(type);
    const rows = store.prepare<TransactionRow>(sql).all({ accountId, end, type, limit });
    return rows.map(toRecord);
  }

  function sequenceOf(accountId: string, id: string): number {
    const row = store
      .prepare<{ seq: number }>('SELECT seq FROM wallet_transactions WHERE id = ? AND account_id = ?')
      .get(id, accountId);
    if (row) return row.seq;
    throw new Failure('invalid_value', `There is no transaction ${JSON.stringify(id)}.`, { param: 'before' });
  }

  return { credit, append, page, watch: (watcher: BalanceWatcher) => void watchers.push(watcher) };
}

export type WalletRow = { posted_n: number; held_n: number; last_seq: number; last_credit_seq: number };

export type TransactionRow = {
  id: string;
  type: TransactionType;
  amount_n: number;
  balance_after_n: number;
  description: string;
  created_at: number;
};

export function toRecord(row: TransactionRow) {
  return {
    id: row.id,
    type: row.type,
    amount: toCredits(row.amount_n),
    balance_after: toCredits(row.balance_after_n),
    created_at: toIso(row.created_at),
    description: row.description,
  };
}

function tooMuch(): Failure {
  return new Failure('invalid_value', `A wallet holds at most ${formatCredits(NANO_MAX)} credits.`, {
    param: 'amount',
  });
}

export const ENSURE_WALLET = 'INSERT INTO wallets(account_id) VALUES(?) ON CONFLICT DO NOTHING';

const FIND_REFERENCE = 'SELECT 1 FROM wallet_transactions WHERE type = ? AND ref_type = ? AND ref_id = ?';

const CREDIT = `
  UPDATE wallets SET posted_n = posted_n + @amountN, last_seq = last_seq + 1, last_credit_seq = last_seq + 1
  WHERE account_id = @accountId AND posted_n <= @most - @amountN RETURNING *`;

const INSERT = `
  INSERT INTO wallet_transactions(account_id, seq, id, type, amount_n, balance_after_n, description, ref_type, ref_id,
    meta, created_at)
  VALUES(@accountId, @seq, @id, @type, @amountN, @afterN, @description, @refType, @refId, @meta, @now)`;

/** Nearly every row is usage, so a backward scan finds a page at once; the other types have an index. */
function pageSql(type: TransactionType | undefined): string {
  const only =
    type === undefined
      ? ''
      : type === 'usage'
        ? "AND type = 'usage'"
        : "AND type = @type AND type <> 'usage'";
  return `
    SELECT id, type, amount_n, balance_after_n, description, created_at FROM wallet_transactions
    WHERE account_id = @accountId AND seq < @end ${only} ORDER BY seq DESC LIMIT @limit`;
}

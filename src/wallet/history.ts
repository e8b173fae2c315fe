import type { Clock } from '../base/clock.ts';
import { Failure } from '../base/errors.ts';
import { firstIdAt } from '../base/ids.ts';
import { toCredits } from '../base/money.ts';
import { BUCKET_HOURS, isoOfHour, msOfHour, wholeHours, type Period } from '../base/whole-hours.ts';
import type { Store } from '../store/store.ts';
import { toRecord, type TransactionRow, type TransactionType } from './ledger.ts';

const PAGE_SIZE = 100;
/** Otherwise a search for a rare text would block the daemon for as long as its ledger is. */
const SCANNED_MAX = 50_000;

export type HistoryFilter = Period & { type?: TransactionType; text?: string };
export type HistoryPage = HistoryFilter & { before?: string; limit?: number };

export type WalletHistory = ReturnType<typeof createWalletHistory>;

/** Reports over the ledger. Ids start with their time, so a point in time is found in the index of the ids. */
export function createWalletHistory({ store, clock }: { store: Store; clock: Clock }) {
  /** Newest first. `next` continues the search: a page may be shorter than its limit, even empty, before the end. */
  function search(accountId: string, { from, to, type, text, before, limit = PAGE_SIZE }: HistoryPage) {
    const end = Math.min(
      before === undefined ? Infinity : sequenceOf(accountId, before),
      to === undefined ? Infinity : lastBefore(accountId, Date.parse(to)).seq + 1,
    );
    const first = from === undefined ? 0 : lastBefore(accountId, Date.parse(from)).seq + 1;
    const rows = store.prepare<TransactionRow>(searchSql(type)).all({
      accountId,
      first,
      end: Number.isFinite(end) ? end : Number.MAX_SAFE_INTEGER,
      type,
      scanned: text === undefined ? limit : SCANNED_MAX,
    });
    const found = rows.filter(matches(text)).slice(0, limit);
    return { transactions: found.map(toRecord), next: nextOf(rows, found, { text, limit }) };
  }

  /** The balance at the end of each bucket; for the last bucket, the current one. */
  function balances(accountId: string, { bucket = 'day', ...period }: Period & { bucket?: 'hour' | 'day' }) {
    const { from, until } = wholeHours(period, bucket, clock.now());
    const width = BUCKET_HOURS[bucket];
    const data: { start: string; balance: number }[] = [];
    for (let hour = from - (from % width); hour < until; hour += width) {
      const end = Math.min(hour + width, until);
      const balance = toCredits(lastBefore(accountId, msOfHour(end)).balanceN);
      data.push({ start: isoOfHour(hour), balance });
    }
    return { from: isoOfHour(from), to: isoOfHour(until), bucket, data };
  }

  function lastBefore(accountId: string, ms: number): { seq: number; balanceN: number } {
    const row = store
      .prepare<{ seq: number; balanceN: number }>(LAST_BEFORE)
      .get({ accountId, bound: firstIdAt('txn', ms) });
    return row ?? { seq: 0, balanceN: 0 };
  }

  function sequenceOf(accountId: string, id: string): number {
    const row = store.prepare<{ seq: number }>(SEQUENCE).get(id, accountId);
    if (row) return row.seq;
    throw new Failure('invalid_value', `There is no transaction ${JSON.stringify(id)}.`, { param: 'before' });
  }

  return { search, balances };
}

function matches(text: string | undefined): (row: TransactionRow) => boolean {
  if (text === undefined) return () => true;
  const wanted = text.toLowerCase();
  return ({ id, description }) => id === text || description.toLowerCase().includes(wanted);
}

type Wanted = { text: string | undefined; limit: number };

function nextOf(rows: readonly { id: string }[], found: readonly { id: string }[], { text, limit }: Wanted) {
  if (found.length === limit) return found.at(-1)?.id ?? null;
  const mayBeMore = rows.length === (text === undefined ? limit : SCANNED_MAX);
  return mayBeMore ? (rows.at(-1)?.id ?? null) : null;
}

const SEQUENCE = 'SELECT seq FROM wallet_transactions WHERE id = ? AND account_id = ?';

/** Uses the index of the ids, which the plus forces. Within a millisecond, the number decides. */
const LAST_BEFORE = `
  SELECT seq, balance_after_n AS balanceN FROM wallet_transactions
  WHERE +account_id = @accountId AND id < @bound AND id >= (
    SELECT substr(id, 1, 14) FROM wallet_transactions
    WHERE id < @bound AND +account_id = @accountId ORDER BY id DESC LIMIT 1)
  ORDER BY seq DESC LIMIT 1`;

/** Nearly every row is usage, so a backward scan finds them at once; the other types have an index. */
function searchSql(type: TransactionType | undefined): string {
  const only =
    type === undefined
      ? ''
      : type === 'usage'
        ? "AND type = 'usage'"
        : "AND type = @type AND type <> 'usage'";
  return `
    SELECT id, type, amount_n, balance_after_n, description, created_at FROM wallet_transactions
    WHERE account_id = @accountId AND seq >= @first AND seq < @end ${only}
    ORDER BY seq DESC LIMIT @scanned`;
}

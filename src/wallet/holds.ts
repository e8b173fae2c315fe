import type { Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import { monthOf } from '../base/money.ts';
import type { Store } from '../store/store.ts';
import { ENSURE_WALLET, type Ledger, type WalletRow } from './ledger.ts';
import { insufficientFunds, type MonthRoom, type Room } from './insufficient-funds.ts';
import type { WalletSettings } from './settings.ts';

/** Credits reserved for one request. A hold is closed exactly once: settled with the actual usage, or released. */
export type Hold = { id: string; accountId: string; month: string; amountN: number };

/** The minimum for the request to make sense, and what it may need for now. */
export type Wanted = { leastN: number; wantN: number };

export type Settlement = { costN: number; description: string; meta?: Record<string, unknown> };

export type Holds = ReturnType<typeof createHolds>;

type HoldsOptions = { store: Store; clock: Clock; bootId: string; ledger: Ledger; settings: WalletSettings };

/** Reserve, then settle, each by one guarded statement. Every method belongs inside a transaction. */
export function createHolds({ store, clock, bootId, ledger, settings }: HoldsOptions) {
  function open(accountId: string, requestId: string, wanted: Wanted): Hold {
    const now = clock.now();
    const hold: Hold = { id: newId('hold', now), accountId, month: monthOf(now), amountN: 0 };
    store.prepare(ENSURE_WALLET).run(accountId);
    const amountN = reserve(hold, wanted);
    store.prepare(INSERT).run({ ...hold, requestId, amountN, bootId, now });
    return { ...hold, amountN };
  }

  /** Undefined if not even the minimum is available; the hold is unchanged. */
  function extend(hold: Hold, wanted: Wanted): Hold | undefined {
    const room = roomOf(hold);
    if (roomLeft(room) < wanted.leastN) return undefined;
    const addedN = reserve(hold, wanted);
    store.prepare(EXTEND).run({ id: hold.id, addedN });
    return { ...hold, amountN: hold.amountN + addedN };
  }

  function reserve(hold: Hold, { leastN, wantN }: Wanted): number {
    const { accountId, month } = hold;
    const room = roomOf(hold);
    const amountN = Math.min(wantN, Math.max(leastN, roomLeft(room)));
    if (amountN > roomLeft(room)) throw insufficientFunds(room, leastN);
    const { changes } = store.prepare(RESERVE).run({ accountId, amountN });
    if (changes !== 1) throw insufficientFunds(room, leastN);
    store.prepare(RESERVE_MONTH).run({ accountId, month, amountN });
    return amountN;
  }

  /** Never more than was held. Returns the transaction's id, or undefined if it cost nothing. */
  function settle(hold: Hold, { costN, description, meta = {} }: Settlement): string | undefined {
    const { id, accountId, month, amountN } = hold;
    const paidN = Math.min(costN, amountN);
    close({ hold, state: 'settled', paidN });
    const wallet = store.prepare<WalletRow>(PAY).get({ accountId, amountN, paidN });
    if (!wallet) throw new Error(`The wallet of ${accountId} is gone`);
    store.prepare(PAY_MONTH).run({ accountId, month, amountN, paidN });
    if (paidN === 0) return undefined;
    const reference = { refType: 'hold', refId: id };
    return ledger.append(
      { accountId, type: 'usage', amountN: -paidN, description, meta, ...reference },
      wallet,
    );
  }

  function release(hold: Hold): void {
    const { accountId, month, amountN } = hold;
    close({ hold, state: 'released', paidN: 0 });
    store.prepare(PAY).get({ accountId, amountN, paidN: 0 });
    store.prepare(PAY_MONTH).run({ accountId, month, amountN, paidN: 0 });
  }

  /** Releases it and leaves the request to another hold. */
  function cancel(hold: Hold): void {
    store.prepare(LEAVE).run({ id: hold.id });
    release(hold);
  }

  function close({ hold, state, paidN }: { hold: Hold; state: 'settled' | 'released'; paidN: number }): void {
    const closed = store
      .prepare<{ amount_n: number }>(CLOSE)
      .get({ id: hold.id, state, paidN, now: clock.now() });
    if (closed?.amount_n !== hold.amountN) throw new Error(`The hold ${hold.id} is not what it should be`);
  }

  /** What an earlier run of the daemon left open was never answered, so it costs nothing. */
  function releaseOrphans(): number {
    const orphans = store.prepare<Hold>(ORPHANS).all(bootId);
    for (const orphan of orphans) release(orphan);
    return orphans.length;
  }

  function roomOf({ accountId, month }: Hold): Room {
    const wallet = store.prepare<WalletRow>('SELECT * FROM wallets WHERE account_id = ?').get(accountId);
    const { enabled, limitN, action } = settings.spendingLimit(accountId);
    const isBlocking = enabled && action === 'block';
    const room = { postedN: wallet?.posted_n ?? 0, heldN: wallet?.held_n ?? 0 };
    if (!isBlocking) return room;
    const { spentN = 0, heldN = 0 } = store.prepare<Partial<MonthRoom>>(MONTH).get(accountId, month) ?? {};
    return { ...room, month: { limitN, spentN, heldN } };
  }

  return { open, extend, settle, release, cancel, releaseOrphans };
}

function roomLeft({ postedN, heldN, month }: Room): number {
  const funds = postedN - heldN;
  return month ? Math.max(0, Math.min(funds, month.limitN - month.spentN - month.heldN)) : funds;
}

const RESERVE = `
  UPDATE wallets SET held_n = held_n + @amountN WHERE account_id = @accountId AND posted_n - held_n >= @amountN`;

const RESERVE_MONTH = `
  INSERT INTO wallet_months(account_id, month, held_n) VALUES(@accountId, @month, @amountN)
  ON CONFLICT DO UPDATE SET held_n = held_n + excluded.held_n`;

const INSERT = `
  INSERT INTO holds(id, account_id, request_id, amount_n, month, boot_id, created_at)
  VALUES(@id, @accountId, @requestId, @amountN, @month, @bootId, @now)`;

const EXTEND = 'UPDATE holds SET amount_n = amount_n + @addedN WHERE id = @id';

const LEAVE = `
  UPDATE holds SET request_id = request_id || '/' || id WHERE id = @id AND state = 'open'`;

const CLOSE = `
  UPDATE holds SET state = @state, cost_n = @paidN, closed_at = @now WHERE id = @id AND state = 'open'
  RETURNING amount_n`;

const PAY = `
  UPDATE wallets SET held_n = held_n - @amountN, posted_n = posted_n - @paidN, last_seq = last_seq + (@paidN > 0)
  WHERE account_id = @accountId RETURNING *`;

const PAY_MONTH = `
  UPDATE wallet_months SET held_n = held_n - @amountN, spent_n = spent_n + @paidN
  WHERE account_id = @accountId AND month = @month`;

const MONTH = `
  SELECT spent_n AS spentN, held_n AS heldN FROM wallet_months WHERE account_id = ? AND month = ?`;

const ORPHANS = `
  SELECT id, account_id AS accountId, month, amount_n AS amountN FROM holds WHERE state = 'open' AND boot_id <> ?`;

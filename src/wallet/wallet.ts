import type { Clock } from '../base/clock.ts';
import type { Events } from '../events/events.ts';
import type { Notices } from '../events/notices.ts';
import { CURRENCY, formatCredits, monthOf, toCredits } from '../base/money.ts';
import type { Store } from '../store/store.ts';
import { createHolds } from './holds.ts';
import { createLedger, type BalanceChange, type WalletRow } from './ledger.ts';
import { createWalletSettings } from './settings.ts';

export type Wallet = ReturnType<typeof createWallet>;

type WalletOptions = { store: Store; events: Events; notices: Notices; clock: Clock; bootId: string };

/** One account's credits: the balance, what is held for running requests, and every change. */
export function createWallet({ store, events, notices, clock, bootId }: WalletOptions) {
  const settings = createWalletSettings({ store });
  const ledger = createLedger({ store, clock });
  const holds = createHolds({ store, clock, bootId, ledger, settings });
  ledger.watch(alertOnSpending);

  function balance(accountId: string) {
    const wallet = store.prepare<WalletRow>('SELECT * FROM wallets WHERE account_id = ?').get(accountId);
    const { posted_n: postedN, held_n: heldN } = wallet ?? { posted_n: 0, held_n: 0 };
    return {
      balance: toCredits(postedN),
      currency: CURRENCY,
      held: toCredits(heldN),
      available: toCredits(postedN - heldN),
    };
  }

  /** Sends a notice if the owner chose an alert instead of a block. */
  function alertOnSpending({ accountId, type }: BalanceChange): void {
    if (type !== 'usage') return;
    const { enabled, limitN, action } = settings.spendingLimit(accountId);
    if (!enabled || action !== 'alert') return;
    const month = monthOf(clock.now());
    if (spentIn(accountId, month) < limitN) return;
    const limit = formatCredits(limitN);
    const message = `This month's spending reached the limit of ${limit} credits.`;
    // Another limit in the same month leads to another notice.
    if (notices.once(accountId, { kind: 'spending_limit', period: `${month} ${limit}`, message })) {
      events.record('usage.limit_reached', { kind: 'spending_limit', period: month }, accountId);
    }
  }

  /** Refunds a request that is about to be done, and charged, again. Inside a transaction. */
  function refundRequest(requestId: string): void {
    const charge = store.prepare<Charged>(CHARGED).get(requestId);
    if (!charge) return;
    const { accountId, amountN, refId } = charge;
    const description = 'Refund of an answer that was never sent';
    ledger.credit({ accountId, type: 'refund', amountN, description, refType: 'usage', refId });
  }

  function spentIn(accountId: string, month: string): number {
    const row = store
      .prepare<{ spent_n: number }>('SELECT spent_n FROM wallet_months WHERE account_id = ? AND month = ?')
      .get(accountId, month);
    return row?.spent_n ?? 0;
  }

  /** Changes with every top-up, so that the owner is notified again when the wallet is empty after one. */
  function creditPeriod(accountId: string): string {
    const wallet = store.prepare<WalletRow>('SELECT * FROM wallets WHERE account_id = ?').get(accountId);
    return `credit-${wallet?.last_credit_seq ?? 0}`;
  }

  return {
    settings,
    holds,
    balance,
    spentIn,
    creditPeriod,
    refundRequest,
    credit: ledger.credit,
    transactions: ledger.page,
    watch: ledger.watch,
  };
}

type Charged = { accountId: string; amountN: number; refId: string };

const CHARGED = `
  SELECT t.account_id AS accountId, -t.amount_n AS amountN, t.id AS refId FROM holds h
  JOIN wallet_transactions t ON t.type = 'usage' AND t.ref_type = 'hold' AND t.ref_id = h.id
  WHERE h.request_id = ?`;

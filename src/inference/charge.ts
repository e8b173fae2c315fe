import { Failure } from '../base/errors.ts';
import type { Events } from '../events/events.ts';
import type { LimitKind } from '../events/event-types.ts';
import type { Notices } from '../events/notices.ts';
import { quotaUsed, type MonthlyQuota, type QuotaShare } from '../limits/monthly-quota.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import type { Tiers } from '../limits/tiers.ts';
import type { DeferredWrites } from '../store/deferred-writes.ts';
import type { Store } from '../store/store.ts';
import type { Hold, Settlement } from '../wallet/holds.ts';
import { costOf, tokensOf, withoutFreeTokens, type Counts, type Price } from '../wallet/pricing.ts';
import type { Wallet } from '../wallet/wallet.ts';

/** Tokens of an answer that are held in advance, and how close to their end the next ones are requested. */
const STEP_TOKENS = 1024;
const EXTEND_WITHIN_TOKENS = 64;

export type ChargedRequest = {
  accountId: string;
  requestId: string;
  price: Price;
  /** Known before it starts. */
  counts: Counts;
  /** For an answer that grows token by token: its maximum length. */
  completionTokensMax?: number;
};

export type Closing = {
  used: Counts;
  record: Omit<Settlement, 'costN'>;
  /** Whether the charge is refunded at once, visibly. */
  isRefunded: boolean;
  conclude: (paidN: number) => void;
};

/** What an answer that ended early ran out of. */
export type Shortage = 'insufficient_credits' | 'insufficient_quota';

export type Charge = ReturnType<ReturnType<typeof createCharges>['open']>;

type Options = {
  store: Store;
  deferred: DeferredWrites;
  events: Events;
  notices: Notices;
  tiers: Tiers;
  rates: RateLimits;
  quota: MonthlyQuota;
  wallet: Wallet;
};

/**
 * Everything an account needs for a request, reserved before it starts and released or used up exactly once. No
 * answer waits for the disk: a power cut may undo the last milliseconds, the hold and the charge of a request in this
 * order.
 */
export function createCharges({ store, deferred, events, notices, tiers, rates, quota, wallet }: Options) {
  /** All or nothing. `alongside` runs in the transaction of the hold. */
  function open(request: ChargedRequest, alongside: () => void) {
    const { accountId, requestId, price, counts, completionTokensMax = 0 } = request;
    const grows = completionTokensMax > 0;
    const step = Math.min(completionTokensMax, STEP_TOKENS);
    const rate = rates.admit(accountId, { promptTokens: tokensOf(counts), completionTokens: step });
    const shares: QuotaShare[] = [];
    const takeTokens = (leastTokens: number, wantTokens: number) => {
      const month = shares[0]?.month;
      const share = quota.reserve(accountId, {
        leastTokens,
        wantTokens,
        ...(month !== undefined && { month }),
      });
      shares.push(share);
      return share;
    };
    /** How long the answer may be with the monthly tokens reserved so far. */
    const lengthTaken = () => shares.reduce((sum, { tokens }) => sum + tokens, 0) - tokensOf(counts);
    const freeTaken = () => shares.reduce((sum, { freeTokens }) => sum + freeTokens, 0);
    const costWith = (completionTokens: number) => {
      const all = grows ? { ...counts, completionTokens } : counts;
      return costOf(price, withoutFreeTokens(all, freeTaken()));
    };
    let hold: Hold;
    try {
      takeTokens(tokensOf(counts) + Math.min(step, 1), tokensOf(counts) + step);
      hold = store.relaxedTransaction(() => {
        alongside();
        const wanted = { leastN: costWith(Math.min(step, 1)), wantN: costWith(lengthTaken()) };
        return wallet.holds.open(accountId, requestId, wanted);
      });
    } catch (error) {
      shares.forEach(quota.release);
      rates.cancel(rate);
      throw refused(accountId, price, error);
    }
    let allowed = affordable(costWith, hold.amountN, lengthTaken());
    let shortOf: Shortage = 'insufficient_credits';

    /** Extends the hold while there is balance. The first hold stays usable when there is not. */
    function extend(): void {
      const wanting = Math.min(completionTokensMax, allowed + STEP_TOKENS);
      let added: QuotaShare | undefined;
      try {
        const taken = lengthTaken();
        if (wanting > taken) added = takeTokens(Math.max(0, allowed + 1 - taken), wanting - taken);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        shortOf = 'insufficient_quota';
        return;
      }
      shortOf = 'insufficient_credits';
      const most = Math.min(wanting, lengthTaken());
      const already = hold.amountN;
      const wanted = {
        leastN: Math.max(0, costWith(allowed + 1) - already),
        wantN: Math.max(0, costWith(most) - already),
      };
      const extended = store.relaxedTransaction(() => wallet.holds.extend(hold, wanted));
      if (extended) {
        hold = extended;
        allowed = affordable(costWith, hold.amountN, most);
      } else if (added) {
        shares.pop();
        quota.release(added);
      }
    }

    /** Whether an answer of this many tokens may continue. */
    function mayGoOn(completionTokens: number): boolean {
      const isNearEnd = completionTokens > allowed - EXTEND_WITHIN_TOKENS;
      if (grows && isNearEnd && allowed < completionTokensMax) extend();
      return allowed >= completionTokensMax || completionTokens < allowed;
    }

    /**
     * Settles and returns the charge in nano-credits; `conclude` gets it too, and writes in the same transaction. A
     * full disk may delay it: an answer that was made is worth no less for that.
     */
    function close({ used, record, isRefunded, conclude }: Closing): number {
      const tokens = tokensOf(used);
      const paidN = Math.min(costOf(price, withoutFreeTokens(used, freeTaken())), hold.amountN);
      const settle = () => {
        const transaction =
          paidN === 0 && tokens === 0
            ? wallet.holds.release(hold)
            : wallet.holds.settle(hold, { ...record, costN: paidN });
        if (transaction && isRefunded) refund(transaction, paidN);
        settleTokens(tokens);
        conclude(paidN);
      };
      rates.settle(rate, tokens);
      const release = () => shares.splice(0).forEach(quota.release);
      try {
        deferred.write(`the charge of ${requestId}`, () => {
          store.relaxedTransaction(settle);
          release();
        });
      } catch (error) {
        release();
        throw error;
      }
      return paidN;
    }

    function refund(transaction: string, amountN: number): void {
      const reference = { refType: 'usage', refId: transaction };
      const description = 'Refund of a failed answer';
      wallet.credit({ accountId, type: 'refund', amountN, description, ...reference });
    }

    function settleTokens(tokens: number): void {
      const [first] = shares;
      if (first) quota.settle({ ...first, freeTokens: freeTaken() }, tokens);
    }

    return { mayGoOn, shortOf: () => shortOf, close };
  }

  /** The failure for the client, after notifying the owner of a limit that is reached for the first time. */
  function refused(accountId: string, price: Price, error: unknown): unknown {
    if (!(error instanceof Failure)) return error;
    const month = quota.status(accountId).month;
    const failure = hasOnlyFreeTokens(accountId, price, error)
      ? quotaUsed(tiers.of(accountId), month)
      : error;
    const kind = LIMITS[failure.code];
    if (kind === undefined) return failure;
    const period = kind === 'credits' ? wallet.creditPeriod(accountId) : month;
    store.transaction(() => {
      if (!notices.once(accountId, { kind, period, message: failure.message })) return;
      events.record('usage.limit_reached', { kind, period });
    });
    return failure;
  }

  /** An account that only has free tokens has reached a quota, not the end of its wallet. */
  function hasOnlyFreeTokens(accountId: string, price: Price, failure: Failure): boolean {
    return (
      failure.code === 'insufficient_credits' &&
      price.promptTokens !== undefined &&
      tiers.of(accountId).freeTokens > 0 &&
      wallet.balance(accountId).balance === 0
    );
  }

  return { open };
}

const LIMITS: Partial<Record<Failure['code'], LimitKind>> = {
  insufficient_quota: 'monthly_tokens',
  spending_limit_reached: 'spending_limit',
  insufficient_credits: 'credits',
};

/** The longest answer, of at most `most` tokens, that costs no more than what is held. */
function affordable(costWith: (completionTokens: number) => number, amountN: number, most: number): number {
  if (costWith(most) <= amountN) return most;
  let low = 0;
  let high = most - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (costWith(middle) <= amountN) low = middle;
    else high = middle - 1;
  }
  return low;
}

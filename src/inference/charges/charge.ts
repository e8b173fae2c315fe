import { Failure } from '../../base/errors.ts';
import type { Events } from '../../events/events.ts';
import type { Notices } from '../../events/notices.ts';
import type { KeyUse } from '../../limits/key-budgets.ts';
import type { KeySpending } from '../../limits/key-spending.ts';
import type { MonthlyQuota, QuotaShare } from '../../limits/monthly-quota.ts';
import type { RateLimits } from '../../limits/rate-limits.ts';
import type { Tiers } from '../../limits/tiers.ts';
import type { DeferredWrites } from '../../store/deferred-writes.ts';
import type { Store } from '../../store/store.ts';
import type { Hold, Settlement } from '../../wallet/holds.ts';
import { costOf, tokensOf, withoutFreeTokens, type Counts, type Price } from '../../wallet/pricing.ts';
import type { Wallet } from '../../wallet/wallet.ts';
import { createCommits } from './commits.ts';
import { createLimitNotices, keyOf } from './limit-notices.ts';
import { writeCharge } from './write-charge.ts';

/** How many tokens of an answer are held in advance, and how close to their end the next ones are requested. */
const STEP_TOKENS = 1024;
const EXTEND_WITHIN_TOKENS = 64;

/** How a charge ends: `keep` in the transaction of the result, then `release`; or `drop`, as if it had never been. */
export type DeferredCharge = {
  costN: number;
  keep: () => void;
  release: () => void;
  drop: () => void;
};

/**
 * A request of a batch: it costs half, starts only while nobody is waiting, and is charged in the transaction that
 * keeps its result.
 */
export type BatchLine = {
  batchId: string;
  /** Stops the request where it is, to be repeated later. */
  preempt: () => void;
  defer: (charge: DeferredCharge) => void;
  /** What it costs, once its models have finished. */
  chargedN: () => number;
};

export type ChargedRequest = {
  accountId: string;
  keyId: string | null;
  startedAt: number;
  requestId: string;
  price: Price;
  /** Known before it starts. */
  counts: Counts;
  /** The maximum length of an answer that grows token by token. */
  completionTokensMax?: number;
  /** It does not count against the limits per minute. */
  batch?: BatchLine | undefined;
};

export type Closing = {
  used: Counts;
  /** As recorded in the usage, which also counts prompts without an answer. */
  recordedTokens: number;
  record: Omit<Settlement, 'costN'>;
  /** Whether the charge is refunded at once, with a visible transaction. */
  isRefunded: boolean;
  conclude: (paidN: number) => void;
};

/** What an answer that ended early ran out of. */
export type Shortage = 'insufficient_credits' | 'insufficient_quota' | 'spending_limit_reached';

export type Charge = Awaited<ReturnType<ReturnType<typeof createCharges>['open']>>;

type Options = {
  store: Store;
  deferred: DeferredWrites;
  events: Events;
  notices: Notices;
  tiers: Tiers;
  rates: RateLimits;
  quota: MonthlyQuota;
  spendingOf: KeySpending;
  wallet: Wallet;
};

/**
 * Everything that an account needs for a request, reserved before it starts and released or used up exactly once. No
 * answer waits for the disk: a power cut may undo the last milliseconds, but always a request's hold and charge in
 * this order.
 */
export function createCharges(options: Options) {
  const { store, deferred, rates, quota, spendingOf, wallet } = options;
  const { refused, notify } = createLimitNotices(options);
  const commits = createCommits(options);

  /** All or nothing. `alongside` runs in the transaction of the hold. */
  async function open(request: ChargedRequest, alongside: () => void) {
    const { accountId, keyId, requestId, price, counts, completionTokensMax = 0, batch } = request;
    const grows = completionTokensMax > 0;
    const step = Math.min(completionTokensMax, STEP_TOKENS);
    const most = { promptTokens: tokensOf(counts), completionTokens: step, keyId };
    const rate = batch ? undefined : rates.admit(accountId, most);
    const spending = commits.began(spendingOf(request));
    const shares: QuotaShare[] = [];
    const takeTokens = (leastTokens: number, wantTokens: number) => {
      const month = shares[0]?.month;
      const share = quota.reserve(accountId, {
        leastTokens,
        wantTokens: spending.tokensFor(leastTokens, wantTokens),
        ...(month !== undefined && { month }),
      });
      spending.take({ tokens: share.tokens });
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
      hold = await commits.write(() => {
        alongside();
        const wanted = { leastN: costWith(Math.min(step, 1)), wantN: costWith(lengthTaken()) };
        const opened = wallet.holds.open(accountId, requestId, spending.creditsFor(wanted));
        spending.take({ costN: opened.amountN });
        return opened;
      });
    } catch (error) {
      release();
      if (rate) rates.cancel(rate);
      throw refused(accountId, price, error);
    }
    let allowed = affordable(costWith, hold.amountN, lengthTaken());
    /** What the tokens of the month or the budget of the key allow. Otherwise the wallet ends the answer. */
    let shortage: Failure | undefined;

    /** Extends the reservation while there is more. If there is not, the first reservation stays usable. */
    function extend(): void {
      const wanting = Math.min(completionTokensMax, allowed + STEP_TOKENS);
      const sharesBefore = shares.length;
      let isExtended = false;
      shortage = undefined;
      try {
        const taken = lengthTaken();
        if (wanting > taken) takeTokens(Math.max(0, allowed + 1 - taken), wanting - taken);
        isExtended = extendHold(Math.min(wanting, lengthTaken()));
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        shortage = error;
      }
      if (!isExtended) giveBack(shares.splice(sharesBefore));
    }

    function extendHold(most: number): boolean {
      const already = hold.amountN;
      const wanted = spending.creditsFor({
        leastN: Math.max(0, costWith(allowed + 1) - already),
        wantN: Math.max(0, costWith(most) - already),
      });
      const extended = store.relaxedTransaction(() => wallet.holds.extend(hold, wanted));
      if (!extended) return false;
      spending.take({ costN: extended.amountN - already });
      hold = extended;
      allowed = affordable(costWith, hold.amountN, most);
      return true;
    }

    function giveBack(unused: readonly QuotaShare[]): void {
      for (const share of unused) {
        quota.release(share);
        spending.take({ tokens: -share.tokens });
      }
    }

    /** Whether an answer with this many tokens may continue. */
    function mayGoOn(completionTokens: number): boolean {
      const isNearEnd = completionTokens > allowed - EXTEND_WITHIN_TOKENS;
      if (grows && isNearEnd && allowed < completionTokensMax) extend();
      const may = allowed >= completionTokensMax || completionTokens < allowed;
      if (!may && shortage !== undefined && keyOf(shortage) !== undefined) notify(accountId, shortage);
      return may;
    }

    /**
     * Settles and returns the charge in nano-credits; `conclude` gets it too, and writes in the same transaction. A
     * full disk may delay this, since an answer that was made must still be charged.
     */
    async function close({ used, recordedTokens, record, isRefunded, conclude }: Closing): Promise<number> {
      const tokens = tokensOf(used);
      const paidN = Math.min(costOf(price, withoutFreeTokens(used, freeTaken())), hold.amountN);
      const settle = () => {
        const transaction =
          paidN === 0 && tokens === 0
            ? wallet.holds.release(hold)
            : wallet.holds.settle(hold, { ...record, costN: paidN });
        if (transaction && isRefunded) wallet.credit(refundOf(accountId, transaction, paidN));
        const [first] = shares;
        if (first) quota.settle({ ...first, freeTokens: freeTaken() }, tokens);
        conclude(paidN);
      };
      if (rate) rates.settle(rate, tokens);
      const recorded = { tokens: recordedTokens, costN: paidN };
      if (batch) batch.defer({ costN: paidN, keep: settle, release: () => release(recorded), drop: cancel });
      else await writeCharge({ ...options, commits }, { requestId, settle, recorded, release });
      return paidN;
    }

    /** As if it had never been. */
    function cancel(): void {
      if (rate) rates.cancel(rate);
      const cancelHold = () => wallet.holds.cancel(hold);
      deferred.write(`the hold of ${requestId}`, () => store.relaxedTransaction(cancelHold));
      release();
    }

    /** Returns what reserves it again. */
    function release(recorded?: KeyUse): () => void {
      commits.ended(spending);
      const released = shares.splice(0);
      released.forEach(quota.release);
      const reopen = spending.close(recorded);
      return () => {
        released.forEach(quota.retain);
        shares.push(...released);
        reopen();
      };
    }

    return { mayGoOn, shortOf: () => shortOf(shortage), close, cancel };
  }

  return { open };
}

function refundOf(accountId: string, transaction: string, amountN: number) {
  const reference = { refType: 'usage', refId: transaction };
  const description = 'Refund of a failed answer';
  return { accountId, type: 'refund' as const, amountN, description, ...reference };
}

function shortOf(shortage: Failure | undefined): Shortage {
  if (shortage === undefined) return 'insufficient_credits';
  return shortage.kind.status === 402 ? 'spending_limit_reached' : 'insufficient_quota';
}

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

import { Failure } from '../../base/errors.ts';
import type { LimitKind } from '../../events/event-types.ts';
import type { Events } from '../../events/events.ts';
import type { Notices } from '../../events/notices.ts';
import { quotaUsed, type MonthlyQuota } from '../../limits/monthly-quota.ts';
import type { Tiers } from '../../limits/tiers.ts';
import type { Store } from '../../store/store.ts';
import type { Price } from '../../wallet/pricing.ts';
import type { Wallet } from '../../wallet/wallet.ts';

type Parts = {
  store: Store;
  events: Events;
  notices: Notices;
  tiers: Tiers;
  quota: MonthlyQuota;
  wallet: Wallet;
};

/** Tells the owner which limit of the account or the key a request has reached. */
export function createLimitNotices({ store, events, notices, tiers, quota, wallet }: Parts) {
  /** The failure for the client. The owner is notified the first time that a limit is reached. */
  function refused(accountId: string, price: Price, error: unknown): unknown {
    if (!(error instanceof Failure)) return error;
    const failure = hasOnlyFreeTokens(accountId, price, error)
      ? quotaUsed(tiers.of(accountId), quota.status(accountId).month)
      : error;
    notify(accountId, failure);
    return failure;
  }

  function notify(accountId: string, failure: Failure): void {
    const { code, message } = failure;
    const keyId = keyOf(failure);
    const kind = keyId === undefined ? LIMITS[code] : KEY_LIMITS[code];
    if (kind === undefined) return;
    const period = kind === 'credits' ? wallet.creditPeriod(accountId) : quota.status(accountId).month;
    const subject = keyId === undefined ? period : `${period} ${keyId}`;
    store.transaction(() => {
      if (!notices.once(accountId, { kind, period: subject, message })) return;
      const data = { kind, period, ...(keyId !== undefined && { key_id: keyId }) };
      events.record('usage.limit_reached', data, accountId);
    });
  }

  /** An account that only has free tokens has reached a quota, not emptied its wallet. */
  function hasOnlyFreeTokens(accountId: string, price: Price, failure: Failure): boolean {
    return (
      failure.code === 'insufficient_credits' &&
      price.promptTokens !== undefined &&
      tiers.of(accountId).freeTokens > 0 &&
      wallet.balance(accountId).balance === 0
    );
  }

  return { refused, notify };
}

const LIMITS: Partial<Record<Failure['code'], LimitKind>> = {
  insufficient_quota: 'monthly_tokens',
  spending_limit_reached: 'spending_limit',
  insufficient_credits: 'credits',
};

const KEY_LIMITS: Partial<Record<Failure['code'], LimitKind>> = {
  insufficient_quota: 'key_tokens',
  spending_limit_reached: 'key_credits',
};

/** The key whose budget caused the refusal. */
export function keyOf({ details }: Failure): string | undefined {
  const { key_id: keyId } = details;
  return typeof keyId === 'string' ? keyId : undefined;
}

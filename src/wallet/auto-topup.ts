import { toIso, type Clock } from '../base/clock.ts';
import { Failure } from '../base/errors.ts';
import type { AuditLog } from '../events/audit/audit-log.ts';
import type { Notices } from '../events/notices.ts';
import { formatCredits, monthOf, toCredits, toNano } from '../base/money.ts';
import type { Store } from '../store/store.ts';
import type { Checkout } from './checkout.ts';
import type { Checkouts } from './checkouts.ts';
import type { Provider } from './provider.ts';
import type { WalletSettings } from './settings.ts';
import { CONTACT_SALES_FROM, priceOf } from './topup-options.ts';

const COOL_DOWN_MS = 15 * 60_000;
const FAILURES_MAX = 3;
const BY_DAEMON = { actor: { kind: 'daemon' } } as const;

export type AutoTopups = ReturnType<typeof createAutoTopups>;

type Parts = {
  store: Store;
  checkouts: Checkouts;
  settings: WalletSettings;
  notices: Notices;
  auditLog: Pick<AuditLog, 'record'>;
  provider: Provider;
  clock: Clock;
  /** If credits cost money: the most that a month's automatic top-ups may add. */
  monthlyMax: number;
  balanceN: (accountId: string) => number;
  onFailure: (error: unknown, message: string) => void;
};

/**
 * Tops up a wallet when its balance has dropped below the threshold. Only one runs at a time: a second check finds
 * the first one's row, and one with an unknown outcome is queried again, never repeated.
 */
export function createAutoTopups(parts: Parts) {
  const { store, checkouts, settings, provider, clock } = parts;
  const running = new Map<string, Promise<void>>();
  let isClosed = false;

  /** Runs a check, or joins the running one. Resolves when it is done; never rejects. */
  function check(accountId: string): Promise<void> {
    const work = running.get(accountId) ?? begin(accountId);
    running.set(accountId, work);
    return work;
  }

  async function checkAll(): Promise<void> {
    await Promise.all(settings.withAutoTopup().map(check));
  }

  /** Even the failure may be impossible to store, for example on a full disk. */
  function begin(accountId: string): Promise<void> {
    return attempt(accountId)
      .catch((error: unknown) => parts.onFailure(error, 'the outcome of an automatic top-up was not stored'))
      .finally(() => running.delete(accountId));
  }

  async function attempt(accountId: string): Promise<void> {
    let checkout: Checkout | undefined;
    if (isClosed || isSuspended(accountId)) return;
    try {
      checkout = store.transaction(() => pending(accountId) ?? due(accountId));
      if (checkout === undefined) return;
      const outcome = await provider.charge(checkout);
      if (isClosed) return;
      if (outcome === 'pending') return void postpone(accountId, 0);
      checkouts.pay(checkout.id, { by: BY_DAEMON, evenIfExpired: true });
      reset(accountId);
    } catch (error) {
      if (!isClosed) refuse(accountId, checkout, error);
    }
  }

  /** A suspended account is not charged; an unknown outcome is queried once the account is resumed. */
  function isSuspended(accountId: string): boolean {
    return store.prepare(SUSPENDED).get(accountId) !== undefined;
  }

  /** An earlier top-up that has started but not ended. */
  function pending(accountId: string): Checkout | undefined {
    const row = store.prepare<{ id: string }>(PENDING).get(accountId);
    const found = row && checkouts.find(row.id);
    if (found?.state === 'expired') checkouts.expire(found.id);
    return found?.state === 'created' && isRested(accountId) ? found : undefined;
  }

  function due(accountId: string): Checkout | undefined {
    const { enabled, thresholdN, amountN } = settings.get(accountId).autoTopup;
    const balanceN = parts.balanceN(accountId);
    if (!enabled || balanceN >= thresholdN || !isRested(accountId)) return undefined;
    if (store.prepare(PENDING).get(accountId) !== undefined) return undefined;
    // Enough at once: a wallet far below its threshold must not be charged repeatedly.
    const times = Math.max(1, Math.ceil((thresholdN - balanceN) / amountN));
    const most = Math.max(1, Math.floor((toNano(CONTACT_SALES_FROM) - 1) / amountN));
    const totalN = Math.min(times, most) * amountN;
    if (provider.movesMoney && addedThisMonth(accountId) + totalN > toNano(parts.monthlyMax)) {
      return void notifyCapReached(accountId);
    }
    return checkouts.insert(accountId, 'auto', {
      amountN: totalN,
      bonusN: 0,
      priceMinor: priceOf(toCredits(totalN)),
    });
  }

  function isRested(accountId: string): boolean {
    const row = store
      .prepare<{ retry_at: number }>('SELECT retry_at FROM auto_topups WHERE account_id = ?')
      .get(accountId);
    return (row?.retry_at ?? 0) <= clock.now();
  }

  function addedThisMonth(accountId: string): number {
    const monthStart = Date.parse(`${monthOf(clock.now())}-01T00:00:00Z`);
    return store.prepare<{ n: number }>(ADDED_SINCE).get(accountId, monthStart)?.n ?? 0;
  }

  /** A decline by the provider ends this top-up; after anything else it is queried again. */
  function refuse(accountId: string, checkout: Checkout | undefined, error: unknown): void {
    const isRefusal = error instanceof Failure && error.code === 'payment_refused';
    if (!isRefusal) parts.onFailure(error, 'the payment provider has not answered an automatic top-up yet');
    if (checkout === undefined) return;
    store.transaction(() => {
      if (isRefusal) checkouts.fail(checkout.id);
      const failures = postpone(accountId, isRefusal ? 1 : 0);
      if (failures < FAILURES_MAX) return;
      turnOff(accountId);
      parts.notices.once(accountId, {
        kind: 'auto_topup_disabled',
        period: toIso(clock.now()),
        message: `The automatic top-up failed ${FAILURES_MAX} times in a row and is now off. Check its payment method.`,
      });
      reset(accountId);
    });
  }

  function turnOff(accountId: string): void {
    const { autoTopup } = settings.get(accountId);
    settings.put(accountId, { autoTopup: { ...autoTopup, enabled: false } });
    parts.auditLog.record({
      ...{ ...BY_DAEMON, accountId, action: 'wallet_settings.update', outcome: 'succeeded' },
      before: { auto_topup: { enabled: autoTopup.enabled } },
      after: { auto_topup: { enabled: false } },
    });
  }

  /** The number of consecutive failures. */
  function postpone(accountId: string, refusals: 0 | 1): number {
    const retryAt = clock.now() + COOL_DOWN_MS;
    return store.prepare<{ failures: number }>(POSTPONE).get({ accountId, refusals, retryAt })?.failures ?? 0;
  }

  /** After a success, and when the owner changes the settings. */
  function reset(accountId: string): void {
    store.prepare('DELETE FROM auto_topups WHERE account_id = ?').run(accountId);
  }

  function notifyCapReached(accountId: string): void {
    const limit = formatCredits(toNano(parts.monthlyMax));
    parts.notices.once(accountId, {
      kind: 'auto_topup_cap',
      period: monthOf(clock.now()),
      message: `Automatic top-ups have reached their limit of ${limit} for this month (setting auto_topup_monthly_max).`,
    });
  }

  /** A request in flight to the provider is repeated after the next start, with the same idempotency key. */
  const close = () => void (isClosed = true);

  return { check, checkAll, reset, close };
}

const PENDING = `SELECT id FROM checkouts WHERE account_id = ? AND kind = 'auto' AND state = 'created'`;

const SUSPENDED = 'SELECT 1 FROM accounts WHERE id = ? AND suspended_at IS NOT NULL';

const ADDED_SINCE = `
  SELECT coalesce(sum(amount_n), 0) AS n FROM checkouts
  WHERE account_id = ? AND kind = 'auto' AND state = 'paid' AND created_at >= ?`;

const POSTPONE = `
  INSERT INTO auto_topups(account_id, failures, retry_at) VALUES(@accountId, @refusals, @retryAt)
  ON CONFLICT DO UPDATE SET failures = failures + excluded.failures, retry_at = excluded.retry_at RETURNING failures`;

import type { Clock } from '../base/clock.ts';
import { Failure } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { CURRENCY, formatCredits, toCredits } from '../base/money.ts';
import type { AuditEntry, AuditLog } from '../events/audit/audit-log.ts';
import type { Store } from '../store/store.ts';
import type { Checkout, CheckoutKind, ProviderName } from './checkout.ts';
import type { Ledger } from './ledger.ts';
import type { Provider } from './provider.ts';
import { topupOption, type TopupOption } from './topup-options.ts';

export const CHECKOUT_LIFETIME_MS = 24 * 60 * 60 * 1000;

export type Checkouts = ReturnType<typeof createCheckouts>;

type Parts = {
  store: Store;
  wallet: Pick<Ledger, 'credit'>;
  auditLog: Pick<AuditLog, 'record'>;
  clock: Clock;
  provider: Provider;
};

/** Who reported a payment, as named in the audit log. */
export type PaidBy = Pick<AuditEntry, 'actor' | 'client' | 'address' | 'requestId'>;
type Paying = { by: PaidBy; evenIfExpired?: boolean };

/**
 * Top-ups, from the request to the credits. A checkout is credited at most once, however often its payment is
 * reported.
 */
export function createCheckouts({ store, wallet, auditLog, clock, provider }: Parts) {
  /** For a person: a URL for paying. */
  async function open(accountId: string, amount: number) {
    const checkout = store.transaction(() => insert(accountId, 'manual', topupOption(amount)));
    try {
      const { url, ref } = await provider.open(checkout);
      store.prepare('UPDATE checkouts SET provider_ref = ? WHERE id = ?').run(ref, checkout.id);
      return { ...checkout, url };
    } catch (cause) {
      fail(checkout.id);
      throw providerFailed(cause);
    }
  }

  /** Inside a transaction. */
  function insert(accountId: string, kind: CheckoutKind, option: TopupOption): Checkout {
    const now = clock.now();
    const id = newId('chk', now);
    store.prepare(INSERT).run({
      ...option,
      id,
      accountId,
      kind,
      provider: provider.name,
      currency: CURRENCY,
      now,
      expiresAt: now + CHECKOUT_LIFETIME_MS,
    });
    return mustFind(id);
  }

  /** Turns the checkout into credits. False if that has already happened, or if it has expired. */
  function pay(id: string, { by, evenIfExpired = false }: Paying): boolean {
    return store.transaction(() => {
      const now = clock.now();
      const row = store.prepare<Checkout>(PAY).get({ id, now, evenIfExpired: Number(evenIfExpired) });
      if (row === undefined) return false;
      const { accountId, amountN, bonusN, kind } = row;
      const reference = { accountId, refType: 'checkout', refId: id };
      const how = kind === 'auto' ? 'Automatic top-up' : 'Top-up';
      wallet.credit({ ...reference, type: 'topup', amountN, description: how });
      if (bonusN > 0) {
        const description = `Bonus for a top-up of ${formatCredits(amountN)}`;
        wallet.credit({ ...reference, type: 'bonus', amountN: bonusN, description });
      }
      auditLog.record({ ...by, ...paymentOf(row), outcome: 'succeeded' });
      return true;
    });
  }

  /** Money was taken, but not as agreed: nothing is credited, and this is logged. Inside a transaction. */
  function refuse(checkout: Checkout, by: PaidBy): void {
    auditLog.record({ ...by, ...paymentOf(checkout), outcome: 'refused', code: 'payment_refused' });
  }

  function expire(id: string): void {
    store
      .prepare(`UPDATE checkouts SET state = 'expired', closed_at = ? WHERE id = ? AND state = 'created'`)
      .run(clock.now(), id);
  }

  function fail(id: string): void {
    store
      .prepare(`UPDATE checkouts SET state = 'failed', closed_at = ? WHERE id = ? AND state = 'created'`)
      .run(clock.now(), id);
  }

  function find(id: string): Checkout | undefined {
    return inTime(store.prepare<Checkout>(`SELECT ${COLUMNS} FROM checkouts WHERE id = ?`).get(id));
  }

  function findByRef(providerName: ProviderName, ref: string): Checkout | undefined {
    const sql = `SELECT ${COLUMNS} FROM checkouts WHERE provider_ref = ? AND provider = ?`;
    return inTime(store.prepare<Checkout>(sql).get(ref, providerName));
  }

  function mustFind(id: string): Checkout {
    const found = find(id);
    if (found === undefined) throw new Error(`The checkout ${id} is gone`);
    return found;
  }

  /** A checkout expires even if nothing updates its row. */
  function inTime(row: Checkout | undefined): Checkout | undefined {
    if (row?.state !== 'created' || row.expiresAt > clock.now()) return row;
    return { ...row, state: 'expired' };
  }

  return { open, insert, pay, refuse, expire, fail, find, findByRef };
}

function paymentOf({ id, accountId, amountN, bonusN, priceMinor, currency, provider, kind }: Checkout) {
  const credits = { amount: toCredits(amountN), bonus: toCredits(bonusN) };
  const after = { ...credits, price_minor: priceMinor, currency, provider, kind };
  return { action: 'top_up.pay', accountId, object: id, after };
}

function providerFailed(cause: unknown): Failure {
  if (cause instanceof Failure) return cause;
  return new Failure(
    'payment_provider_failed',
    'The payment provider could not create a checkout. Try again.',
    {
      cause,
    },
  );
}

const COLUMNS = `id, account_id AS accountId, kind, provider, provider_ref AS providerRef, state, amount_n AS amountN,
  bonus_n AS bonusN, price_minor AS priceMinor, currency, created_at AS createdAt, expires_at AS expiresAt`;

const INSERT = `
  INSERT INTO checkouts(id, account_id, kind, provider, amount_n, bonus_n, price_minor, currency, created_at, expires_at)
  VALUES(@id, @accountId, @kind, @provider, @amountN, @bonusN, @priceMinor, @currency, @now, @expiresAt)`;

const PAY = `
  UPDATE checkouts SET state = 'paid', closed_at = @now
  WHERE id = @id AND ((state = 'created' AND expires_at > @now) OR (@evenIfExpired AND state IN ('created', 'expired')))
  RETURNING ${COLUMNS}`;

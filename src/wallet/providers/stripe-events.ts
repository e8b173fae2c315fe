import type { Stripe } from 'stripe';
import type { Clock } from '../../base/clock.ts';
import { Failure } from '../../base/errors.ts';
import type { Notices } from '../../events/notices.ts';
import type { Store } from '../../store/store.ts';
import type { Checkout } from '../checkout.ts';
import type { Checkouts, PaidBy } from '../checkouts.ts';
import type { Customers } from './customers.ts';
import type { StripeClient } from './stripe.ts';

const AGE_SECONDS_MAX = 300;

export type StripeEvents = ReturnType<typeof createStripeEvents>;

type Parts = {
  store: Store;
  checkouts: Checkouts;
  customers: Customers;
  notices: Notices;
  clock: Clock;
  client: StripeClient;
  secret: string;
};

/** Where an event came from. */
type Origin = Pick<PaidBy, 'client' | 'address' | 'requestId'>;
/** A payment as an event describes it. */
type Payment = { id: string; status: string; amount: number | null; currency: string | null; by: PaidBy };

/**
 * Handles Stripe's webhook events. An event counts once, and only with a valid signature over its exact bytes. It is
 * checked against our own row: the amount credited never comes from the event.
 */
export function createStripeEvents({ store, checkouts, customers, notices, clock, client, secret }: Parts) {
  async function receive(body: Buffer, signature: string | undefined, origin: Origin): Promise<void> {
    const stripe = await client();
    const event = verify(stripe, body, signature);
    store.transaction(() => {
      const { changes } = store.prepare(INSERT_ONCE).run(event.id, event.type, clock.now());
      const actor = { kind: 'payment_provider', id: event.id, name: 'stripe' } as const;
      if (changes === 1) apply(event, { ...origin, actor });
    });
  }

  function verify(stripe: Stripe, body: Buffer, signature: string | undefined): Stripe.Event {
    try {
      const now = clock.now();
      return stripe.webhooks.constructEvent(body, signature ?? '', secret, AGE_SECONDS_MAX, undefined, now);
    } catch (cause) {
      throw new Failure('event_not_genuine', 'The event has no valid Stripe signature.', {
        cause,
      });
    }
  }

  function apply(event: Stripe.Event, by: PaidBy): void {
    switch (event.type) {
      case 'checkout.session.completed':
      case 'checkout.session.async_payment_succeeded':
        return onSessionPaid(event.data.object, by);
      case 'checkout.session.expired':
        return withSession(event.data.object, ({ id }) => checkouts.expire(id));
      case 'checkout.session.async_payment_failed':
        return withSession(event.data.object, ({ id }) => checkouts.fail(id));
      case 'payment_intent.succeeded':
        return onIntentPaid(event.data.object, by);
      default:
    }
  }

  function onSessionPaid(session: Stripe.Checkout.Session, by: PaidBy): void {
    withSession(session, (checkout) => {
      const { payment_status: status, amount_total: amount, currency, customer } = session;
      if (!settle(checkout, { id: session.id, status, amount, currency, by })) return;
      if (typeof customer === 'string') customers.keep(checkout.accountId, customer);
    });
  }

  /** An automatic top-up whose response was lost or late. */
  function onIntentPaid(intent: Stripe.PaymentIntent, by: PaidBy): void {
    const { id, status, metadata, amount_received: amount, currency } = intent;
    const checkout = checkouts.find(metadata['checkout_id'] ?? '');
    if (checkout?.provider !== 'stripe' || checkout.kind !== 'auto') return;
    settle(checkout, { id, status: status === 'succeeded' ? 'paid' : status, amount, currency, by });
  }

  /** A session that is not ours belongs to another product of the same Stripe account. */
  function withSession(session: Stripe.Checkout.Session, act: (checkout: Checkout) => void): void {
    const checkout = checkouts.find(session.client_reference_id ?? '');
    if (checkout?.provider !== 'stripe') return;
    if (checkout.providerRef === null || checkout.providerRef === session.id) act(checkout);
  }

  /** True if the payment matches the checkout. Money that was taken counts even if it is late. */
  function settle(checkout: Checkout, { id, status, amount, currency, by }: Payment): boolean {
    if (status !== 'paid') return false;
    if (amount !== checkout.priceMinor || currency !== checkout.currency) {
      const message = `Stripe reports ${amount} ${currency} for ${id} instead of ${checkout.priceMinor} ${checkout.currency}. Nothing was credited.`;
      notices.once(checkout.accountId, { kind: 'payment_mismatch', period: id, message });
      checkouts.refuse(checkout, by);
      return false;
    }
    checkouts.pay(checkout.id, { by, evenIfExpired: true });
    return true;
  }

  return { receive };
}

const INSERT_ONCE = `
  INSERT INTO provider_events(provider, event_id, type, created_at) VALUES('stripe', ?, ?, ?) ON CONFLICT DO NOTHING`;

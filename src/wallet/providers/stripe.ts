import type { Stripe } from 'stripe';
import { Failure } from '../../base/errors.ts';
import type { Checkout } from '../checkout.ts';
import type { Provider } from '../provider.ts';
import type { Customers } from './customers.ts';

const TIMEOUT_MS = 20_000;

export type StripeClient = () => Promise<Stripe>;

/** Imported lazily by the first payment: most daemons never make one. */
export function createStripeClient({
  secretKey,
  apiBase,
}: {
  secretKey: string;
  apiBase: string;
}): StripeClient {
  let client: Promise<Stripe> | undefined;
  return () => (client ??= connect(secretKey, apiBase));
}

async function connect(secretKey: string, apiBase: string): Promise<Stripe> {
  const { Stripe } = await import('stripe');
  const base = apiBase === '' ? undefined : new URL(apiBase);
  return new Stripe(secretKey, {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 2,
    telemetry: false,
    ...(base && {
      host: base.hostname,
      port: base.port,
      protocol: base.protocol === 'http:' ? ('http' as const) : ('https' as const),
    }),
  });
}

type Parts = {
  client: StripeClient;
  customers: Customers;
  /** Whether later automatic payments are expected, for which the card must be saved. */
  keepsCard: (accountId: string) => boolean;
  rootUrl: () => string;
};

/** Every Stripe request for a checkout uses its id as idempotency key, so that repeating it is safe. */
export function createStripeProvider({ client, customers, keepsCard, rootUrl }: Parts): Provider {
  async function open(checkout: Checkout) {
    const stripe = await client();
    const { id, accountId, currency, priceMinor } = checkout;
    const customer = customers.find(accountId);
    const metadata = { checkout_id: id };
    const session = await stripe.checkout.sessions.create(
      {
        mode: 'payment',
        client_reference_id: id,
        metadata,
        line_items: [
          {
            quantity: 1,
            price_data: { currency, unit_amount: priceMinor, product_data: { name: 'askd credits' } },
          },
        ],
        ...(customer === undefined ? { customer_creation: 'always' as const } : { customer }),
        payment_intent_data: { metadata, ...(keepsCard(accountId) && { setup_future_usage: 'off_session' }) },
        success_url: `${rootUrl()}/dashboard`,
        cancel_url: `${rootUrl()}/dashboard`,
      },
      { idempotencyKey: id },
    );
    if (session.url === null) throw new Error('Stripe made a checkout without an address');
    return { url: session.url, ref: session.id };
  }

  async function charge(checkout: Checkout): Promise<'paid' | 'pending'> {
    const { id, accountId, currency, priceMinor } = checkout;
    const customer = customers.find(accountId);
    if (customer === undefined) throw noCard();
    const stripe = await client();
    const [method] = (await stripe.customers.listPaymentMethods(customer, { limit: 1 })).data;
    if (method === undefined) throw noCard();
    const intent = await stripe.paymentIntents
      .create(
        {
          amount: priceMinor,
          currency,
          customer,
          payment_method: method.id,
          off_session: true,
          confirm: true,
          metadata: { checkout_id: id },
        },
        { idempotencyKey: id },
      )
      .catch((error: unknown) => {
        throw isCardError(error) ? refused(error) : error;
      });
    if (intent.status === 'processing') return 'pending';
    if (intent.status !== 'succeeded') throw refused(undefined);
    if (intent.amount_received === priceMinor && intent.currency === currency) return 'paid';
    throw new Error(`Stripe took ${intent.amount_received} ${intent.currency} for the checkout ${id}`);
  }

  return { name: 'stripe', movesMoney: true, open, charge };
}

function isCardError(error: unknown): boolean {
  return (error as { type?: unknown }).type === 'StripeCardError';
}

function refused(cause: unknown): Failure {
  return new Failure('payment_refused', 'The payment was declined. Make one manually: askd wallet topup 25', {
    cause,
  });
}

function noCard(): Failure {
  return new Failure(
    'payment_refused',
    'There is no saved card for automatic top-ups yet. Make a payment manually: askd wallet topup 25',
  );
}

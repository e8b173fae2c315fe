import { Type, type Static } from '../schema.ts';
import { endpoint } from '../endpoint.ts';

export const TopUpRequest = Type.Object(
  { amount: Type.Number({ description: 'US dollars, at least 1 and less than 500, to the cent.' }) },
  { $id: 'TopUpRequest', additionalProperties: false },
);
export type TopUpRequest = Static<typeof TopUpRequest>;

export const TopUp = Type.Object(
  {
    checkout_url: Type.String({ description: 'The payment page. Anyone with this URL can pay.' }),
    amount: Type.Number(),
    currency: Type.String(),
    bonus: Type.Number({ description: 'Bonus credits.' }),
    total: Type.Number({ description: 'Credits added after payment, bonus included.' }),
    expires_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'TopUp' },
);
export type TopUp = Static<typeof TopUp>;

export const topUp = endpoint({
  method: 'POST',
  path: '/v1/wallet/top-up',
  summary: 'Start a top-up, to be paid at the URL in the response',
  tag: 'Wallet',
  access: 'write',
  body: TopUpRequest,
  response: TopUp,
});

export const openTopUp = endpoint({
  method: 'POST',
  path: '/api/wallet/top-up',
  summary: 'Start a top-up from the dashboard, to be paid at the URL in the response',
  tag: 'Wallet',
  access: 'management',
  body: TopUpRequest,
  response: TopUp,
});

const StripeEvent = Type.Object(
  { id: Type.String(), type: Type.String(), data: Type.Object({ object: Type.Object({}) }) },
  { $id: 'StripeEvent', description: 'The event as Stripe sends it; the signature covers the exact bytes.' },
);

/** Called by Stripe and authenticated by its signature. */
export const receiveStripeEvent = endpoint({
  method: 'POST',
  path: '/api/stripe/events',
  summary: 'Receive a payment event signed by Stripe',
  tag: 'Wallet',
  access: 'public',
  headers: Type.Object({
    'stripe-signature': Type.String({
      description: 'Signed with the secret in stripe_webhook_secret; no API key.',
    }),
  }),
  body: StripeEvent,
  response: Type.Object({ received: Type.Literal(true) }),
});

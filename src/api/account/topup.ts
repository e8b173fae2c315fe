import { Type, type Static } from '../schema.ts';
import { endpoint } from '../endpoint.ts';

export const TopUpRequest = Type.Object(
  { amount: Type.Number({ description: 'US dollars, at least 1 and less than 500, to the cent.' }) },
  { $id: 'TopUpRequest', additionalProperties: false },
);
export type TopUpRequest = Static<typeof TopUpRequest>;

export const TopUp = Type.Object(
  {
    checkout_url: Type.String({ description: 'Where to pay. Whoever has it may.' }),
    amount: Type.Number(),
    currency: Type.String(),
    bonus: Type.Number({ description: 'Credits that come on top.' }),
    total: Type.Number({ description: 'Credits after payment.' }),
    expires_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'TopUp' },
);
export type TopUp = Static<typeof TopUp>;

export const topUp = endpoint({
  method: 'POST',
  path: '/v1/wallet/top-up',
  summary: 'Start a top-up, which is paid at the address in the answer',
  tag: 'Wallet',
  access: 'write',
  body: TopUpRequest,
  response: TopUp,
});

const StripeEvent = Type.Object(
  { id: Type.String(), type: Type.String(), data: Type.Object({ object: Type.Object({}) }) },
  { $id: 'StripeEvent', description: 'As Stripe sends it; signed as it is, byte for byte.' },
);

/** Its caller is Stripe, whose signature is what opens the door. */
export const receiveStripeEvent = endpoint({
  method: 'POST',
  path: '/api/stripe/events',
  summary: 'Take the report of a payment from Stripe, which signs it',
  tag: 'Wallet',
  access: 'public',
  headers: Type.Object({
    'stripe-signature': Type.String({
      description: 'By the secret in stripe_webhook_secret, not an API key.',
    }),
  }),
  body: StripeEvent,
  response: Type.Object({ received: Type.Literal(true) }),
});

import type { Checkout, ProviderName } from './checkout.ts';

/** A payment provider. The local page and Stripe implement this contract. */
export type Provider = {
  name: ProviderName;
  /** Whether credits cost real money here, which makes a limit for automatic top-ups mandatory. */
  movesMoney: boolean;
  /** The URL for paying, and the provider's reference for the checkout. */
  open(checkout: Checkout): Promise<{ url: string; ref: string }>;
  /** Charges without a person. `pending` while the provider has not decided; a decline is thrown. */
  charge(checkout: Checkout): Promise<'paid' | 'pending'>;
};

import type { Checkout, ProviderName } from './checkout.ts';

/** Who takes the money. The contract that the local page and Stripe keep. */
export type Provider = {
  name: ProviderName;
  /** Whether credits cost anything here, so that an automatic top-up has to know a limit. */
  movesMoney: boolean;
  /** Where a person pays, and by what the provider knows the checkout. */
  open(checkout: Checkout): Promise<{ url: string; ref: string }>;
  /** Pays without a person. `pending` when the provider has not decided; a refusal is thrown. */
  charge(checkout: Checkout): Promise<'paid' | 'pending'>;
};

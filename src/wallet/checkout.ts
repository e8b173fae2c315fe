export type ProviderName = 'local' | 'stripe';

/** One top-up: its price, its credits, and its state. */
export type Checkout = {
  id: string;
  accountId: string;
  kind: CheckoutKind;
  provider: ProviderName;
  providerRef: string | null;
  state: CheckoutState;
  amountN: number;
  bonusN: number;
  priceMinor: number;
  currency: string;
  createdAt: number;
  expiresAt: number;
};

export type CheckoutState = 'created' | 'paid' | 'expired' | 'failed';
export type CheckoutKind = 'manual' | 'auto';

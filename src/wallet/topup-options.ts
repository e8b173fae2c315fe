import { Failure } from '../base/errors.ts';
import { toNano } from '../base/money.ts';

const AMOUNT_MIN = 1;
/** From this amount on, sales makes an offer. */
export const CONTACT_SALES_FROM = 500;

/** Amounts between two rows get the bonus of the lower one. */
const BONUSES = [
  { from: 250, percent: 15 },
  { from: 100, percent: 10 },
  { from: 50, percent: 5 },
] as const;

export type TopupOption = { amountN: number; bonusN: number; priceMinor: number };

/** What an amount in dollars buys. Rejects amounts that cannot be bought here. */
export function topupOption(amount: number): TopupOption {
  const priceMinor = priceOf(amount);
  const percent = BONUSES.find(({ from }) => amount >= from)?.percent ?? 0;
  const amountN = toNano(priceMinor / 100);
  return { amountN, bonusN: (amountN / 100) * percent, priceMinor };
}

/** In cents, the unit of payments. */
export function priceOf(amount: number): number {
  const cents = Math.round(amount * 100);
  if (amount >= CONTACT_SALES_FROM) {
    throw new Failure(
      'contact_sales',
      `Top-ups from ${CONTACT_SALES_FROM} have a bonus of 20% and are arranged with sales. ` +
        `The amount must be less than ${CONTACT_SALES_FROM}.`,
      { param: 'amount' },
    );
  }
  if (amount < AMOUNT_MIN || Math.abs(cents / 100 - amount) > 1e-9) {
    throw new Failure(
      'invalid_value',
      `The amount must be at least ${AMOUNT_MIN}, with at most two decimal places.`,
      {
        param: 'amount',
      },
    );
  }
  return cents;
}

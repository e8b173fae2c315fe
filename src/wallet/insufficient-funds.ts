import { Failure } from '../base/errors.ts';
import { formatCredits } from '../base/money.ts';

/** What an account could spend right now. The month is present only if its limit blocks. */
export type Room = { postedN: number; heldN: number; month?: MonthRoom };

export type MonthRoom = { limitN: number; spentN: number; heldN: number };

const HELD_RETRY_AFTER_SECONDS = 2;

/** Explains which funds are missing, and what helps. */
export function insufficientFunds({ postedN, heldN, month }: Room, leastN: number): Failure {
  const needs = `This request needs at least ${formatCredits(leastN)} credits`;
  if (month && month.spentN + leastN > month.limitN) {
    const { limitN, spentN } = month;
    return new Failure(
      'spending_limit_reached',
      `${needs}, and the monthly spending limit of ${formatCredits(limitN)} leaves ` +
        `${formatCredits(Math.max(0, limitN - spentN))}. Raise it: askd wallet settings --spending-limit AMOUNT`,
      { details: { limit: formatCredits(limitN) } },
    );
  }
  if (postedN >= leastN) {
    const isShort = postedN - heldN < leastN;
    const where = isShort ? 'in the wallet' : "under this month's spending limit";
    const [wholeN, takenN] =
      month && !isShort ? [month.limitN - month.spentN, month.heldN] : [postedN, heldN];
    return new Failure(
      'credits_on_hold',
      `${needs}; of the ${formatCredits(wholeN)} ${where} ${formatCredits(takenN)} are reserved for running ` +
        'requests. Try again when they have finished.',
      { retryAfterSeconds: HELD_RETRY_AFTER_SECONDS },
    );
  }
  return new Failure(
    'insufficient_credits',
    `${needs}, and the wallet has ${formatCredits(postedN)}. Add credits: askd wallet topup 10`,
    { details: { fix: 'askd wallet topup 10' } },
  );
}

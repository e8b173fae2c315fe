import { Failure } from '../errors.ts';
import { formatCredits } from '../money.ts';

/** What an account could spend right now. The limit is there only while it blocks. */
export type Room = { postedN: number; heldN: number; limitN?: number; takenN?: number };

const HELD_RETRY_AFTER_SECONDS = 2;

/** Why the least that a request needs is not there, and what helps. */
export function refusal({ postedN, heldN, limitN, takenN = 0 }: Room, leastN: number): Failure {
  const needs = `This request needs at least ${formatCredits(leastN)} credits`;
  if (limitN !== undefined && takenN + leastN > limitN) {
    return new Failure(
      'spending_limit_reached',
      `${needs}, and the monthly spending limit of ${formatCredits(limitN)} leaves ` +
        `${formatCredits(Math.max(0, limitN - takenN))}. Raise it: askd wallet settings --spending-limit AMOUNT`,
      { details: { limit: formatCredits(limitN) } },
    );
  }
  if (postedN >= leastN) {
    return new Failure(
      'credits_on_hold',
      `${needs}; of the ${formatCredits(postedN)} in the wallet ${formatCredits(heldN)} are held for running ` +
        'requests. Try again when they are done.',
      { retryAfterSeconds: HELD_RETRY_AFTER_SECONDS },
    );
  }
  return new Failure(
    'insufficient_credits',
    `${needs}, and the wallet has ${formatCredits(postedN)}. Add some: askd wallet topup 10`,
  );
}

import type { Clock } from '../base/clock.ts';
import { Failure } from '../base/errors.ts';
import { createMinuteCounts } from './minute-counts.ts';

const WRONG_PER_MINUTE_MAX = 10;

/** Its address is looked up only when it counts. */
export type Sender = { readonly ip: string };

export type Attempts = ReturnType<typeof createAttempts>;

/**
 * Slows down who tries credentials. What is wrong counts by address and what is right always passes, because on this
 * machine every program has the same address, and one with an old key must not lock out the others.
 */
export function createAttempts({ clock }: { clock: Clock }) {
  const wrong = createMinuteCounts({ clock, max: WRONG_PER_MINUTE_MAX });

  /** Runs a check of a credential. Its refusal counts, and past the maximum it only says to wait. */
  function check<Result>(from: Sender, attempt: () => Result): Result {
    try {
      return attempt();
    } catch (error) {
      if (!(error instanceof Failure) || error.kind.status !== 401) throw error;
      const wait = wrong.add(from.ip);
      throw wait === undefined ? error : tooMany(wait);
    }
  }

  /** For what is tried once by a person: not even looked at when there were too many already. */
  function checkRarely<Result>(from: Sender, attempt: () => Result): Result {
    const wait = wrong.wait(from.ip);
    if (wait !== undefined) throw tooMany(wait);
    return check(from, attempt);
  }

  return { check, checkRarely };
}

function tooMany(retryAfterSeconds: number): Failure {
  return new Failure(
    'too_many_attempts',
    `Too many failed authentication attempts from this address. Try again in ${retryAfterSeconds} seconds.`,
    { retryAfterSeconds },
  );
}

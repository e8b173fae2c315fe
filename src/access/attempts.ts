import type { Clock } from '../base/clock.ts';
import { Failure } from '../base/errors.ts';
import { createMinuteCounts } from './minute-counts.ts';

const WRONG_PER_MINUTE_MAX = 10;

/** The address is only looked up when an attempt fails. */
export type Sender = { readonly ip: string };

export type Attempts = ReturnType<typeof createAttempts>;

/**
 * Slows down credential guessing. Only wrong credentials count, per address. All programs on this machine share one
 * address, so a program with an old key must not lock out the others.
 */
export function createAttempts({ clock }: { clock: Clock }) {
  const wrong = createMinuteCounts({ clock, max: WRONG_PER_MINUTE_MAX });

  /** Runs a credential check. Failures count; past the maximum, the caller is told to wait instead. */
  function check<Result>(from: Sender, attempt: () => Result): Result {
    try {
      return attempt();
    } catch (error) {
      if (!(error instanceof Failure) || error.kind.status !== 401) throw error;
      const wait = wrong.add(from.ip);
      throw wait === undefined ? error : tooMany(wait);
    }
  }

  /** For attempts that only people make: past the maximum, the credential is not even checked. */
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

import { toIso, type Clock } from '../base/clock.ts';
import { Failure } from '../base/errors.ts';
import { UNLIMITED_PER_MINUTE } from '../base/unlimited.ts';
import type { Events } from '../events/events.ts';
import type { Store } from '../store/store.ts';
import type { KeyBudget, KeyBudgets } from './key-budgets.ts';
import { keyRateReached } from './key-spending.ts';
import { createMinuteWindow, type MinuteWindow, type Reservation } from './minute-window.ts';
import type { Tiers } from './tiers.ts';

export type RateReservation = Reservation & {
  accountId: string;
  /** In the key's minute, if it has a rate of its own. */
  ofKey?: { budgetId: string; reservation: Reservation };
};

type Wanted = { promptTokens: number; completionTokens: number; keyId?: string | null };

export type RateLimits = ReturnType<typeof createRateLimits>;

type Options = { store: Store; events: Events; tiers: Tiers; budgets: KeyBudgets; clock: Clock };

/**
 * Requests and tokens per minute of each account, and the requests of keys with their own rate. Kept in memory: a
 * restart empties the minute.
 */
export function createRateLimits({ store, events, tiers, budgets, clock }: Options) {
  const windows = new Map<string, MinuteWindow>();

  /** For an account, or for the budget of a key. */
  function windowOf(id: string): MinuteWindow {
    const known = windows.get(id);
    if (known) return known;
    const window = createMinuteWindow();
    windows.set(id, window);
    return window;
  }

  /** What the headers and the status route report: for requests, the key's values if it has fewer left. */
  function status(accountId: string, keyId?: string | null) {
    const all = windowOf(accountId).status(clock.now(), tiers.of(accountId));
    const rate = rateOf(keyId);
    if (!rate) return all;
    const { rpm } = windowOf(rate.id).status(clock.now(), rate.limits);
    return isTighter(rpm, all.rpm) ? { ...all, rpm } : all;
  }

  function rateOf(keyId: string | null | undefined) {
    if (keyId == null) return undefined;
    const budget = budgets.of(keyId);
    const { id, rpm } = budget;
    return rpm === null ? undefined : { id, keyId, budget, limits: { rpm, tpm: UNLIMITED_PER_MINUTE } };
  }

  /**
   * `promptTokens` are certain; `completionTokens` are an estimate, and no reason to refuse a request that would fit
   * alone.
   */
  function admit(accountId: string, { promptTokens, completionTokens, keyId }: Wanted): RateReservation {
    const tier = tiers.of(accountId);
    if (promptTokens > tier.tpm) throw tooLarge(promptTokens, tier.tpm);
    const ofKey = admitKey(keyId);
    const admission = windowOf(accountId).admit(clock.now(), tier, promptTokens + completionTokens);
    if (admission.granted) return { ...admission.reservation, accountId, ...(ofKey && { ofKey }) };
    if (ofKey) windowOf(ofKey.budgetId).cancel(ofKey.reservation);
    if (admission.isFirst) report(admission.kind, accountId);
    throw limitReached(admission.kind, accountId);
  }

  function admitKey(keyId: string | null | undefined): RateReservation['ofKey'] {
    const rate = rateOf(keyId);
    if (!rate) return undefined;
    const admission = windowOf(rate.id).admit(clock.now(), rate.limits, 1);
    if (!admission.granted) throw keyLimitReached(rate);
    return { budgetId: rate.id, reservation: admission.reservation };
  }

  function keyLimitReached({ id, keyId, budget, limits }: KeyRate): Failure {
    return keyRateReached(budget, keyId, windowOf(id).status(clock.now(), limits).retryAfterSeconds);
  }

  /** Refuses early, before any work, what `admit` would refuse for its number of requests. */
  function refuseIfExhausted(accountId: string, keyId?: string | null): void {
    const rate = rateOf(keyId);
    if (rate && windowOf(rate.id).status(clock.now(), rate.limits).rpm.remaining === 0)
      throw keyLimitReached(rate);
    if (status(accountId).rpm.remaining > 0) return;
    const admission = windowOf(accountId).admit(clock.now(), tiers.of(accountId), 1);
    if (admission.granted) return windowOf(accountId).cancel(admission.reservation);
    if (admission.isFirst) report(admission.kind, accountId);
    throw limitReached(admission.kind, accountId);
  }

  function report(kind: 'rpm' | 'tpm', accountId: string): void {
    const period = toIso(clock.now()).slice(0, 16);
    store.transaction(() => events.record('usage.limit_reached', { kind, period }, accountId));
  }

  function limitReached(kind: 'rpm' | 'tpm', accountId: string): Failure {
    const { name, [kind]: limit } = tiers.of(accountId);
    const { retryAfterSeconds } = status(accountId);
    const what = kind === 'rpm' ? 'requests' : 'tokens';
    return new Failure(
      'rate_limit_exceeded',
      `The tier ${name} allows ${limit} ${what} per minute, and they are used up. Try again in ${retryAfterSeconds} s.`,
      { param: kind, retryAfterSeconds, details: { retry_after: retryAfterSeconds } },
    );
  }

  return {
    status,
    admit,
    refuseIfExhausted,
    settle: (reservation: RateReservation, tokens: number) =>
      windowOf(reservation.accountId).settle(clock.now(), reservation, tokens),
    cancel: (reservation: RateReservation) => {
      windowOf(reservation.accountId).cancel(reservation);
      const { ofKey } = reservation;
      if (ofKey) windowOf(ofKey.budgetId).cancel(ofKey.reservation);
    },
  };
}

type KeyRate = { id: string; keyId: string; budget: KeyBudget; limits: { rpm: number; tpm: number } };
type Rate = { limit: number; remaining: number };

function isTighter(rate: Rate, other: Rate): boolean {
  return rate.remaining < other.remaining || (rate.remaining === other.remaining && rate.limit < other.limit);
}

function tooLarge(promptTokens: number, tpm: number): Failure {
  return new Failure(
    'request_too_large_for_tier',
    `This request has ${promptTokens} tokens; the tier allows ${tpm} per minute, so it can never succeed. ` +
      'Shorten it, or change the tier: askd account tier startup',
    { details: { n_prompt_tokens: promptTokens, tpm } },
  );
}

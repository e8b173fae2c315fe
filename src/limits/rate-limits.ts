import { toIso, type Clock } from '../base/clock.ts';
import { Failure } from '../base/errors.ts';
import type { Events } from '../events/events.ts';
import type { Store } from '../store/store.ts';
import { createMinuteWindow, type MinuteWindow, type Reservation } from './minute-window.ts';
import type { Tiers } from './tiers.ts';

export type RateReservation = Reservation & { accountId: string };

export type RateLimits = ReturnType<typeof createRateLimits>;

type Options = { store: Store; events: Events; tiers: Tiers; clock: Clock };

/** Requests and tokens per minute of each account. In memory: a restart empties the minute. */
export function createRateLimits({ store, events, tiers, clock }: Options) {
  const windows = new Map<string, MinuteWindow>();

  function windowOf(accountId: string): MinuteWindow {
    const known = windows.get(accountId);
    if (known) return known;
    const window = createMinuteWindow();
    windows.set(accountId, window);
    return window;
  }

  /** What the headers and the status route both say. */
  function status(accountId: string) {
    return windowOf(accountId).status(clock.now(), tiers.of(accountId));
  }

  /** `promptTokens` are certain; `completionTokens` are a guess, and no reason to refuse a request that fits alone. */
  function admit(
    accountId: string,
    { promptTokens, completionTokens }: { promptTokens: number; completionTokens: number },
  ): RateReservation {
    const tier = tiers.of(accountId);
    if (promptTokens > tier.tpm) throw tooLarge(promptTokens, tier.tpm);
    const admission = windowOf(accountId).admit(clock.now(), tier, promptTokens + completionTokens);
    if (admission.granted) return { ...admission.reservation, accountId };
    if (admission.isFirst) report(admission.kind);
    throw limitReached(admission.kind, accountId);
  }

  /** Refuses early, before any work, what `admit` would refuse for its number of requests. */
  function refuseIfExhausted(accountId: string): void {
    if (status(accountId).rpm.remaining > 0) return;
    const admission = windowOf(accountId).admit(clock.now(), tiers.of(accountId), 1);
    if (admission.granted) return windowOf(accountId).cancel(admission.reservation);
    if (admission.isFirst) report(admission.kind);
    throw limitReached(admission.kind, accountId);
  }

  function report(kind: 'rpm' | 'tpm'): void {
    const period = toIso(clock.now()).slice(0, 16);
    store.transaction(() => events.record('usage.limit_reached', { kind, period }));
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
    cancel: (reservation: RateReservation) => windowOf(reservation.accountId).cancel(reservation),
  };
}

function tooLarge(promptTokens: number, tpm: number): Failure {
  return new Failure(
    'request_too_large_for_tier',
    `This request has ${promptTokens} tokens; the tier allows ${tpm} per minute, so it can never succeed. ` +
      'Shorten it, or change the tier: askd account tier startup',
    { details: { n_prompt_tokens: promptTokens, tpm } },
  );
}

import type { Limits } from './tiers.ts';

const MINUTE_MS = 60_000;

/** Tokens taken in advance for one request, in the window in which it started. */
export type Reservation = { window: number; tokens: number };

export type Admission =
  { granted: true; reservation: Reservation } | { granted: false; kind: 'rpm' | 'tpm'; isFirst: boolean };

export type MinuteWindow = ReturnType<typeof createMinuteWindow>;

/** Requests and tokens of one account in the current clock minute. A request gets both or neither. */
export function createMinuteWindow() {
  let minute = 0;
  let window = 0;
  let requests = 0;
  let tokens = 0;
  const refused = new Set<'rpm' | 'tpm'>();

  /** Setting the clock back does not empty the window, unless it goes back by more than a moment. */
  function roll(nowMs: number): void {
    const current = Math.floor(nowMs / MINUTE_MS);
    if (current < minute - 1) minute = current;
    if (current <= minute) return;
    minute = current;
    window += 1;
    requests = 0;
    tokens = 0;
    refused.clear();
  }

  function admit(nowMs: number, limits: Limits, estimate: number): Admission {
    roll(nowMs);
    const wanted = Math.min(Math.max(estimate, 1), limits.tpm);
    if (requests + 1 > limits.rpm) return refuse('rpm');
    if (tokens + wanted > limits.tpm) return refuse('tpm');
    requests += 1;
    tokens += wanted;
    return { granted: true, reservation: { window, tokens: wanted } };
  }

  function refuse(kind: 'rpm' | 'tpm'): Admission {
    const isFirst = !refused.has(kind);
    refused.add(kind);
    return { granted: false, kind, isFirst };
  }

  /** Replaces the estimate by actual usage, if its window is still open. */
  function settle(nowMs: number, reservation: Reservation, actual: number): void {
    roll(nowMs);
    if (reservation.window === window) tokens = Math.max(0, tokens - reservation.tokens + actual);
  }

  /** For a request that was refused after all, as if it had never come. */
  function cancel(reservation: Reservation): void {
    if (reservation.window !== window) return;
    requests = Math.max(0, requests - 1);
    tokens = Math.max(0, tokens - reservation.tokens);
  }

  function status(nowMs: number, { rpm, tpm }: Limits) {
    roll(nowMs);
    const resetMs = (minute + 1) * MINUTE_MS;
    return {
      rpm: { limit: rpm, remaining: Math.max(0, rpm - requests) },
      tpm: { limit: tpm, remaining: Math.max(0, tpm - tokens) },
      resetMs,
      retryAfterSeconds: Math.min(60, Math.max(1, Math.ceil((resetMs - nowMs) / 1000))),
    };
  }

  return { admit, settle, cancel, status };
}

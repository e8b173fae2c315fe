import type { OutboundErrorKind } from '../net/outbound-error.ts';

/** The outcome of one attempt: a status, or the reason why there was none. */
export type AttemptResult = {
  startedAt: number;
  durationMs: number;
  status: number | null;
  error: OutboundErrorKind | 'secret_unreadable' | null;
  /** The receiver's Retry-After, counted from the end of the attempt. */
  retryAfterMs: number | null;
  snippet: string;
};

export type Verdict =
  | { state: 'delivered' }
  | { state: 'pending'; waitMs: number }
  /** `isGone`: the receiver answered 410 and wants no more deliveries. */
  | { state: 'failed'; isGone: boolean };

type Judging = {
  result: Pick<AttemptResult, 'status' | 'error' | 'retryAfterMs'>;
  /** Including this one. */
  attempts: number;
  waitsMs: readonly number[];
  /** From 0 to 1. */
  random: number;
};

const JITTER = 0.2;
/** The minimum wait for a receiver that is overloaded or does not answer. */
const BUSY_WAIT_MS_MIN = 60_000;
const BUSY_STATUSES: readonly (number | null)[] = [429, 502, 503, 504];
const GONE = 410;

/** What happens to a delivery after an attempt. Only 2xx is success; a redirect is a failure like any other. */
export function classifyOutcome({ result, attempts, waitsMs, random }: Judging): Verdict {
  const { status, error, retryAfterMs } = result;
  if (status !== null && status >= 200 && status < 300) return { state: 'delivered' };
  const planned = waitsMs[attempts - 1];
  if (status === GONE) return { state: 'failed', isGone: true };
  if (planned === undefined) return { state: 'failed', isGone: false };
  const isBusy = BUSY_STATUSES.includes(status) || error === 'timeout' || error === 'connection_timeout';
  const jittered = planned * (1 - JITTER + 2 * JITTER * random);
  const waitMs = Math.max(jittered, isBusy ? BUSY_WAIT_MS_MIN : 0);
  return { state: 'pending', waitMs: Math.round(withRetryAfter(waitMs, retryAfterMs)) };
}

/** A receiver may ask for a longer wait, up to twice as long, but never for a shorter one. */
function withRetryAfter(waitMs: number, retryAfterMs: number | null): number {
  return retryAfterMs === null ? waitMs : Math.min(Math.max(waitMs, retryAfterMs), 2 * waitMs);
}

/** `Retry-After` is a number of seconds or a date. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}

import type { Clock } from '../base/clock.ts';
import { toIso } from '../base/clock.ts';
import { OutboundError } from '../net/outbound-error.ts';
import type { Outbound } from '../net/outbound.ts';
import { redactSecrets } from '../base/secrets.ts';
import { version } from '../base/version.ts';
import { signWebhook } from '../base/webhook-signature.ts';
import { parseRetryAfter, type AttemptResult } from './retry.ts';

export type SentEvent = { id: string; type: string; created_at: number; data: string };

export type Receiver = {
  url: string;
  secrets: readonly string[];
  loopbackPort?: number;
  /** How much older the attempt claims to be than it is; only simulated ones do. */
  ageSeconds?: number;
};

export type Send = (receiver: Receiver, event: SentEvent, signal: AbortSignal) => Promise<AttemptResult>;

const ATTEMPT_MS_MAX = 15_000;
const BODY_MS_MAX = 2_000;
const BODY_BYTES_MAX = 64 * 1024;
const SNIPPET_LENGTH_MAX = 1024;

type SendOptions = {
  outbound: Outbound;
  clock: Clock;
  /** The receivers' time, which is independent of the clock that tests move. */
  wallClock?: Clock | undefined;
};

/** One attempt at one delivery. Throws only if it was aborted. */
export function createSend({ outbound, clock, wallClock = clock }: SendOptions): Send {
  return async ({ url, secrets, loopbackPort, ageSeconds = 0 }, event, signal) => {
    const startedAt = clock.now();
    const started = performance.now();
    const ended = (rest: Omit<AttemptResult, 'startedAt' | 'durationMs'>): AttemptResult => ({
      startedAt,
      durationMs: Math.round(performance.now() - started),
      ...rest,
    });
    const body = Buffer.from(eventBody(event));
    const timestampSeconds = Math.floor(wallClock.now() / 1000) - ageSeconds;
    try {
      const response = await outbound.request({
        url,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': `askd/${version}`,
          ...signWebhook({ id: event.id, timestampSeconds, body, secrets }),
        },
        body,
        timeoutMs: ATTEMPT_MS_MAX,
        bodyTimeoutMs: BODY_MS_MAX,
        bodyBytesMax: BODY_BYTES_MAX,
        signal,
        ...(loopbackPort !== undefined && { loopbackPort }),
      });
      const retryAfterMs = parseRetryAfter(response.headers['retry-after'], wallClock.now());
      return ended({ status: response.status, error: null, retryAfterMs, snippet: toSnippet(response.body) });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof OutboundError)) throw error;
      return ended({ status: null, error: error.kind, retryAfterMs: null, snippet: '' });
    }
  };
}

/** The same bytes at every attempt: recorded events are never edited. */
export function eventBody({ type, created_at: createdAt, data }: SentEvent): string {
  return `{"type":${JSON.stringify(type)},"timestamp":"${toIso(createdAt)}","data":${data}}`;
}

/** The beginning of a response as harmless text. */
function toSnippet(body: Buffer): string {
  const text = body.subarray(0, 4 * SNIPPET_LENGTH_MAX).toString('utf8');
  // eslint-disable-next-line no-control-regex -- these must not reach a terminal
  return redactSecrets(text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')).slice(
    0,
    SNIPPET_LENGTH_MAX,
  );
}

import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../../../src/base/errors.ts';

const RETRIES_MAX = 3;
const FIRST_WAIT_MS = 500;
/** A longer wait is for the caller to decide on. */
const WAIT_MS_MAX = 60_000;
const RETRIED = [408, 425, 429, 500, 502, 503, 504];

/** Tries again what may work later, by the rules of askd/client: the server says whether and when. */
export async function withRetries<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const waitMs = attempt < RETRIES_MAX && !signal.aborted ? waitAfter(error, attempt) : undefined;
      if (waitMs === undefined) throw error;
      await sleep(waitMs, undefined, { signal });
    }
  }
}

function waitAfter(error: unknown, attempt: number): number | undefined {
  if (!(error instanceof Failure)) return undefined;
  const { kind, retryAfterSeconds } = error;
  if (!(kind.retry ?? RETRIED.includes(kind.status))) return undefined;
  const ordered = retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1000;
  const waitMs = ordered ?? FIRST_WAIT_MS * 2 ** attempt * (0.75 + Math.random() / 4);
  return waitMs > WAIT_MS_MAX ? undefined : waitMs;
}

import { retryAfter } from './error.ts';

const FIRST_WAIT_MS = 500;
const WAIT_MS_MAX = 8_000;
/** A longer wait is for the caller to decide on. */
const ORDERED_WAIT_MS_MAX = 60_000;
const RETRIED = [408, 425, 429, 500, 502, 503, 504];

/** How long to wait before the next attempt; undefined when there should be none. */
export function waitAfter(response: Response | undefined, attempt: number): number | undefined {
  if (response === undefined) return growing(attempt);
  if (!shouldRetry(response)) return undefined;
  const seconds = retryAfter(response.headers);
  if (seconds === undefined) return growing(attempt);
  return seconds * 1000 > ORDERED_WAIT_MS_MAX ? undefined : seconds * 1000;
}

/** The server knows best: a status alone does not say whether a retry can help. */
function shouldRetry({ status, headers }: Response): boolean {
  const advice = headers.get('x-should-retry');
  if (advice !== null) return advice === 'true';
  return RETRIED.includes(status) || (status === 409 && headers.has('retry-after'));
}

/** Doubles each time. The random part keeps clients that failed together from returning together. */
function growing(attempt: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** attempt, WAIT_MS_MAX) * (0.75 + Math.random() / 4);
}

export function wait(waitMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, waitMs);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

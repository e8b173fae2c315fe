import { AskdConnectionError, AskdError } from './error.ts';

export type Retries = {
  /** After the first attempt. */
  maxRetries: number;
  /** Longer waits are left to the caller. */
  maxRetryWaitMs?: number | undefined;
  signal?: AbortSignal | undefined;
};

const FIRST_WAIT_MS = 500;
const WAIT_MS_MAX = 8_000;
const ORDERED_WAIT_MS_MAX = 60_000;

/** Repeats the work where that can help, and no sooner than the server allows. */
export async function withRetries<Result>(work: () => Promise<Result>, retries: Retries): Promise<Result> {
  const { maxRetries, maxRetryWaitMs = ORDERED_WAIT_MS_MAX, signal } = retries;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const waitMs = attempt < maxRetries && !signal?.aborted ? waitAfter(error, attempt) : undefined;
      if (waitMs === undefined || waitMs > maxRetryWaitMs) throw error;
      await wait(waitMs, signal);
    }
  }
}

/** Undefined if there should be no other attempt. */
function waitAfter(error: unknown, attempt: number): number | undefined {
  if (error instanceof AskdConnectionError) return growing(attempt);
  if (!(error instanceof AskdError) || !error.shouldRetry) return undefined;
  return error.retryAfterSeconds === undefined ? growing(attempt) : error.retryAfterSeconds * 1000;
}

/** Doubles each time. The random part keeps clients that failed together from retrying together. */
function growing(attempt: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** attempt, WAIT_MS_MAX) * (0.75 + Math.random() / 4);
}

function wait(waitMs: number, signal: AbortSignal | undefined): Promise<void> {
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

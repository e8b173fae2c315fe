import { setTimeout as sleep } from 'node:timers/promises';
import { Interrupted } from './interrupted.ts';

const ATTEMPTS_MAX = 6;
const WAIT_MS_MAX = 30_000;

export type RetryPolicy = {
  /** The first wait; each further one doubles. */
  retryMs: number;
  signal: AbortSignal;
  /** Called before each wait. */
  onWait?: (waitMs: number, reason: string) => void;
};

export type Attempts = ReturnType<typeof countAttempts>;

/** Waits after temporary failures, and gives up after several attempts in a row without progress. */
export function countAttempts({ retryMs, signal, onWait }: RetryPolicy) {
  let failed = 0;
  return {
    progress: () => void (failed = 0),
    async after(error: unknown): Promise<void> {
      signal.throwIfAborted();
      if (!(error instanceof Interrupted)) throw error;
      failed += 1;
      if (failed >= ATTEMPTS_MAX) throw error;
      const waitMs =
        error.waitMs ?? Math.min(retryMs * 2 ** (failed - 1) * (0.75 + Math.random() / 2), WAIT_MS_MAX);
      onWait?.(waitMs, error.message);
      await sleep(waitMs, undefined, { signal });
    },
  };
}

export async function withRetries<Result>(work: () => Promise<Result>, policy: RetryPolicy): Promise<Result> {
  const attempts = countAttempts(policy);
  for (;;) {
    try {
      return await work();
    } catch (error) {
      await attempts.after(error);
    }
  }
}

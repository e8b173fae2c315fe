import type { Log } from '../../src/log/log.ts';

const EVERY_MS = 600_000;
/** Yields to requests between two batches. */
const PAUSE_MS = 100;

type Batches = {
  /** Returns whether there may be more. */
  prune: () => boolean;
  firstMs: number;
  log: Log;
  failed: string;
};

/** Deletes expired data in small batches. Returns a function that stops it. */
export function pruneInBatches({ prune, firstMs, log, failed }: Batches): () => Promise<void> {
  let timer: NodeJS.Timeout;
  const pruneIn = (delayMs: number): void => {
    timer = setTimeout(() => pruneIn(hasMore() ? PAUSE_MS : EVERY_MS), delayMs).unref();
  };
  const hasMore = (): boolean => {
    try {
      return prune();
    } catch (error) {
      log.error({ err: error }, failed);
      return false;
    }
  };
  pruneIn(firstMs);
  return async () => clearTimeout(timer);
}

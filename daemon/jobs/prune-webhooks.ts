import type { Services } from '../compose.ts';

const EVERY_MS = 600_000;
const FIRST_MS = 60_000;
/** Yields to requests between two batches. */
const PAUSE_MS = 100;

/** Deletes old deliveries and expired ones in small batches. */
export async function pruneWebhooks({ webhooks, log }: Services): Promise<() => Promise<void>> {
  let timer: NodeJS.Timeout;
  const pruneIn = (delayMs: number): void => {
    timer = setTimeout(() => pruneIn(prune() ? PAUSE_MS : EVERY_MS), delayMs).unref();
  };
  const prune = (): boolean => {
    try {
      return webhooks.prune();
    } catch (error) {
      log.error({ err: error }, 'pruning webhooks failed');
      return false;
    }
  };
  pruneIn(FIRST_MS);
  return async () => clearTimeout(timer);
}

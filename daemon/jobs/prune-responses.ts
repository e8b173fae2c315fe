import type { Services } from '../compose.ts';

const EVERY_MS = 600_000;
const FIRST_MS = 90_000;
/** Yields to requests between two batches. */
const PAUSE_MS = 100;

/** Deletes expired responses and conversations in small batches. */
export async function pruneResponses({
  responses,
  conversations,
  log,
}: Services): Promise<() => Promise<void>> {
  let timer: NodeJS.Timeout;
  const pruneIn = (delayMs: number): void => {
    timer = setTimeout(() => pruneIn(prune() ? PAUSE_MS : EVERY_MS), delayMs).unref();
  };
  const prune = (): boolean => {
    try {
      return [responses.prune(), conversations.prune()].includes(true);
    } catch (error) {
      log.error({ err: error }, 'deleting expired responses failed');
      return false;
    }
  };
  pruneIn(FIRST_MS);
  return async () => clearTimeout(timer);
}

import type { Services } from '../compose.ts';

const EVERY_MS = 600_000;
const FIRST_MS = 90_000;
/** Between two pieces others get their turn. */
const PAUSE_MS = 100;

/** Deletes stored answers and conversations when their time is over, a little at a time. */
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

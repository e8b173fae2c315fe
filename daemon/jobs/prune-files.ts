import type { Services } from '../compose.ts';

const EVERY_MS = 600_000;
const FIRST_MS = 100_000;

/** Indexes what the last stop interrupted, and deletes expired files and vector stores. */
export async function pruneFiles({ files, vectorStores, log }: Services): Promise<() => Promise<void>> {
  vectorStores.wake();
  let timer: NodeJS.Timeout;
  const prune = async (): Promise<void> => {
    try {
      while (vectorStores.prune() || (await files.prune())) await new Promise(setImmediate);
    } catch (error) {
      log.error({ err: error }, 'deleting expired files failed');
    }
  };
  const pruneIn = (delayMs: number): void => {
    timer = setTimeout(() => void prune().then(() => pruneIn(EVERY_MS)), delayMs).unref();
  };
  pruneIn(FIRST_MS);
  return async () => clearTimeout(timer);
}

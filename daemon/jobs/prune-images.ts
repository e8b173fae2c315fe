import type { Services } from '../compose.ts';

const EVERY_MS = 60_000;

/** Deletes images whose URL has expired. */
export async function pruneImages({ gallery, log }: Services): Promise<() => Promise<void>> {
  const prune = () =>
    gallery.prune().catch((error: unknown) => log.error({ err: error }, 'pruning images failed'));
  let running = prune();
  const timer = setInterval(() => {
    running = prune();
  }, EVERY_MS).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

import type { Services } from '../compose.ts';

/** Processes batches until the daemon is told to stop: requests in flight are repeated after the next start. */
export function runBatches({ batchWorker, boot, wallet }: Services): Promise<() => Promise<void>> {
  wallet.watch(({ type }) => {
    if (type !== 'usage') batchWorker.retry();
  });
  batchWorker.start();
  const stop = () => void batchWorker.stop();
  boot.stopRequested.addEventListener('abort', stop, { once: true });
  return Promise.resolve(async () => {
    boot.stopRequested.removeEventListener('abort', stop);
    await batchWorker.stop();
  });
}

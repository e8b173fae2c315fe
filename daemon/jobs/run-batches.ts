import type { Services } from '../compose.ts';

/** Works on batches until the daemon is asked to stop: what is in flight then is done again after the next start. */
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

import { Worker } from 'node:worker_threads';
import { Failure } from '../../base/errors.ts';
import type { TransferJob, TransferResult } from './transfer.ts';
import type { FromTransfer } from './transfer-worker.ts';

export type TransferNews = Extract<FromTransfer, { type: 'progress' | 'waiting' | 'restarted' }>;

export type RunningTransfer = { done: Promise<TransferResult[]>; stop(): Promise<void> };

export type StartTransfer = (job: TransferJob, onNews: (news: TransferNews) => void) => RunningTransfer;

/** A download in a separate thread, so that network, disk and hashing do not block the daemon. */
export function createStartTransfer(entry: string): StartTransfer {
  return (job, onNews) => {
    const worker = new Worker(entry, { workerData: job });
    const done = new Promise<TransferResult[]>((resolve, reject) => {
      worker.on('message', (message: FromTransfer) => {
        if (message.type === 'done') resolve(message.results);
        else if (message.type === 'failed') {
          reject(new Failure(message.code, message.message, { cause: new Error(message.cause) }));
        } else onNews(message);
      });
      worker.on('error', reject);
      worker.on('exit', () => reject(new Failure('download_cancelled', 'The download was stopped.')));
    });
    done.catch(() => undefined);
    return {
      done,
      async stop() {
        await worker.terminate();
      },
    };
  };
}

import { Worker } from 'node:worker_threads';
import { entryFile } from '../../src/base/paths.ts';

/** What is wrong with the database, if anything. */
export type StoreCheck = { damage: string | undefined };

/** In a separate thread: reading a large database takes seconds, in which the daemon must serve others. */
export function checkInThread(database: string): { done: Promise<StoreCheck>; cancel: () => Promise<void> } {
  const worker = new Worker(entryFile('daemon/jobs/store-check-worker.js'), { workerData: database });
  const done = new Promise<StoreCheck>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`The check exited with ${code} and no result`)));
  });
  return { done, cancel: async () => void (await worker.terminate()) };
}

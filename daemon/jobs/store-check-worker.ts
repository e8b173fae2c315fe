import { parentPort, workerData } from 'node:worker_threads';
import { findDamage, openStoreToRead } from '../../src/store/store.ts';
import type { StoreCheck } from './store-check.ts';

const store = openStoreToRead(workerData as string);
try {
  const answer: StoreCheck = { damage: findDamage(store) };
  parentPort?.postMessage(answer);
} finally {
  store.close();
}

import { parentPort, workerData } from 'node:worker_threads';
import { openStoreToRead } from '../../src/store/store.ts';
import { auditLedger } from '../../src/wallet/audit.ts';

const store = openStoreToRead(workerData as string);
try {
  parentPort?.postMessage(auditLedger(store));
} finally {
  store.close();
}

import { parentPort, workerData } from 'node:worker_threads';
import { verifyAuditLog } from '../../src/events/audit/verify-audit-log.ts';
import { openStoreToRead } from '../../src/store/store.ts';

const store = openStoreToRead(workerData as string);
try {
  parentPort?.postMessage(verifyAuditLog(store));
} finally {
  store.close();
}

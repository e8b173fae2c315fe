import { Worker } from 'node:worker_threads';
import { entryFile } from '../../src/base/paths.ts';
import type { AuditVerification } from '../../src/events/audit/verify-audit-log.ts';

/** In a worker thread: verifying the log of a year takes seconds, and would block the daemon. */
export function verifyAuditLogInThread(database: string): Promise<AuditVerification> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(entryFile('daemon/jobs/audit-log-worker.js'), { workerData: database });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`The verification exited with ${code} and no result`)));
  });
}

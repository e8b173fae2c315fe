import { Worker } from 'node:worker_threads';
import { entryFile } from '../../src/base/paths.ts';
import type { AuditReport } from '../../src/wallet/audit.ts';

/** In a separate thread: reading millions of rows takes seconds, in which the daemon must serve others. */
export function auditInThread(database: string): Promise<AuditReport> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(entryFile('daemon/jobs/ledger-audit-worker.js'), { workerData: database });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`The audit exited with ${code} and no result`)));
  });
}

import type { Services } from '../compose.ts';
import { pruneInBatches } from './in-batches.ts';

const FIRST_MS = 130_000;

/** Deletes audit records that are older than `audit_log_days`. */
export async function pruneAuditLog({
  auditLog,
  log,
}: Pick<Services, 'auditLog' | 'log'>): Promise<() => Promise<void>> {
  return pruneInBatches({
    ...{ prune: auditLog.prune, firstMs: FIRST_MS, log },
    failed: 'deleting old records of the audit log failed',
  });
}

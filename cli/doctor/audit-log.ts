import { findDaemon } from '../daemon-control/process.ts';
import { formatCount } from '../output/format.ts';
import type { Check } from './check.ts';

/** Whether a record of the audit log was edited; only the running daemon can tell. */
export const checkAuditLog: Check = async ({ connect, options: { host }, paths, signal }) => {
  if (host === undefined && (await findDaemon({ paths, signal })) === undefined) return [];
  const client = await connect();
  const { records, findings } = await client.audit.verify();
  if (findings.length === 0) {
    const message = `${formatCount(records, 'record')} of management actions, unchanged`;
    return [{ check: 'audit log', level: 'ok', message }];
  }
  return findings.map((finding) => ({
    ...{ check: 'audit log', level: 'problem' as const, message: `edited outside askd: ${finding}` },
    fix: 'askd audit --verify, and compare it with a backup',
  }));
};

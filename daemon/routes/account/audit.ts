import { listAudit, verifyAudit, type AuditRecord } from '../../../src/api/account/audit.ts';
import type { AuditRecord as Listed } from '../../../src/events/audit/audit-log.ts';
import { ACCOUNT_ID } from '../../auth/account.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';
import { verifyAuditLogInThread } from '../../jobs/audit-log-verification.ts';

const RECORDS_LISTED = 50;

export function registerAudit(register: RegisterRoute, services: Services): void {
  const { accounts, auditLog, settings } = services;

  register(listAudit, ({ principal, query: { since, until, limit = RECORDS_LISTED, ...query } }) => {
    // The account of the machine's owner sees the records of all accounts.
    const accountId = principal.accountId === ACCOUNT_ID ? undefined : principal.accountId;
    const page = auditLog.list({ ...query, accountId, since: toMs(since), until: toMs(until), limit });
    return { ...page, records: page.records.map(withAccount) };
  });

  /** With a single account, records do not name it. */
  function withAccount({ account_id: id, ...record }: Listed): AuditRecord {
    return id === null || id === ACCOUNT_ID ? record : { ...record, account: accounts.nameOf(id) };
  }

  register(verifyAudit, () => verifyAuditLogInThread(settings.paths.database));
}

function toMs(time: string | undefined): number | undefined {
  return time === undefined ? undefined : Date.parse(time);
}

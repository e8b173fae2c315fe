import { listAudit, verifyAudit, type AuditQuery } from '../../src/api/account/audit.ts';
import type { Http } from '../../src/api/http/http.ts';

/** The audit log. */
export function auditCalls({ call }: Pick<Http, 'call'>, slow: { silenceMsMax: number }) {
  return {
    list: (query: AuditQuery) => call(listAudit, { query }),
    verify: () => call(verifyAudit, slow),
  };
}

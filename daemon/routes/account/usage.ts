import { getRequestUsage } from '../../../src/api/account/request-usage.ts';
import { getUsage } from '../../../src/api/account/usage.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';

export function registerUsage(register: RegisterRoute, { usageReport, requestUsage }: Services): void {
  register(getUsage, ({ principal, query }) => usageReport(principal.accountId, query));
  register(getRequestUsage, ({ principal, params }) =>
    requestUsage.find(principal.accountId, params['id'] ?? ''),
  );
}

import { getUsage } from '../../../src/api/account/usage.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';

export function registerUsage(register: RegisterRoute, { usageReport }: Services): void {
  register(getUsage, ({ principal, query }) => usageReport(principal.accountId, query));
}

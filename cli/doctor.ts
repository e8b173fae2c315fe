import type { Finding } from '../src/api/management/library.ts';
import type { Context } from './context.ts';
import type { Check, CheckOptions } from './doctor/check.ts';
import { checkAuditLog } from './doctor/audit-log.ts';
import { checkDaemon } from './doctor/daemon.ts';
import { checkDevices } from './doctor/devices.ts';
import { checkHome } from './doctor/home.ts';
import { checkInstall } from './doctor/install.ts';
import { checkLedger } from './doctor/ledger.ts';
import { checkLlamaBuild } from './doctor/llama-build.ts';
import { checkModels } from './doctor/models.ts';
import { checkSecrets } from './doctor/secrets.ts';
import { checkService } from './doctor/service.ts';
import { checkSettings } from './doctor/settings.ts';

/** The checks of `askd doctor`, in order. */
const CHECKS: readonly Check[] = [
  checkInstall,
  checkSettings,
  checkHome,
  checkSecrets,
  checkDaemon,
  checkService,
  checkDevices,
  checkLlamaBuild,
  checkModels,
  checkLedger,
  checkAuditLog,
];

/** A check that fails to run is a finding, and does not hide the others. */
export async function runChecks(context: Context, options: CheckOptions): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const check of CHECKS) {
    try {
      findings.push(...(await check(context, options)));
    } catch (error) {
      context.signal.throwIfAborted();
      const message = error instanceof Error ? error.message : String(error);
      findings.push({ check: check.name.replace(/^check/, '').toLowerCase(), level: 'problem', message });
    }
  }
  return findings;
}

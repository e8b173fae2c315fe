import type { Finding } from '../src/api/management/library.ts';
import type { Services } from './compose.ts';
import { diagnoseArtifacts } from './diagnostics/artifacts.ts';
import { diagnoseDisk } from './diagnostics/disk.ts';
import { diagnoseDownloads } from './diagnostics/downloads.ts';
import { diagnoseEngines } from './diagnostics/engines.ts';
import type { DiagnosticOptions, Diagnostic } from './diagnostics/diagnostic.ts';
import { diagnoseHub } from './diagnostics/hub.ts';
import { diagnoseOidc } from './diagnostics/oidc.ts';
import { diagnoseSandbox } from './diagnostics/sandbox.ts';
import { diagnoseOtherPrograms } from './diagnostics/other-programs.ts';

/** The checks of `askd doctor` that only the daemon can run. */
const DIAGNOSTICS: readonly Diagnostic[] = [
  diagnoseDisk,
  diagnoseEngines,
  diagnoseSandbox,
  diagnoseArtifacts,
  diagnoseDownloads,
  diagnoseHub,
  diagnoseOidc,
  diagnoseOtherPrograms,
];

export async function diagnoseLibrary(
  services: Services,
  options: DiagnosticOptions,
  signal: AbortSignal,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const each of DIAGNOSTICS) findings.push(...(await each(services, options, signal)));
  return findings;
}

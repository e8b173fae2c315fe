import type { Finding } from '../src/api/management/library.ts';
import type { Services } from './compose.ts';
import { examineArtifacts } from './diagnostics/artifacts.ts';
import { examineDisk } from './diagnostics/disk.ts';
import { examineDownloads } from './diagnostics/downloads.ts';
import { examineEngines } from './diagnostics/engines.ts';
import type { ExaminationOptions, Examine } from './diagnostics/diagnostic.ts';
import { examineHub } from './diagnostics/hub.ts';

/** What `askd doctor` asks the daemon, since only the daemon can see it. */
const EXAMINATIONS: readonly Examine[] = [
  examineDisk,
  examineEngines,
  examineArtifacts,
  examineDownloads,
  examineHub,
];

export async function examineLibrary(
  services: Services,
  options: ExaminationOptions,
  signal: AbortSignal,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const each of EXAMINATIONS) findings.push(...(await each(services, options, signal)));
  return findings;
}

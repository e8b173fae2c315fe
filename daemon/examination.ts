import type { Finding } from '../src/api/library.ts';
import type { Services } from './compose.ts';
import { examineArtifacts } from './examination/artifacts.ts';
import { examineDisk } from './examination/disk.ts';
import { examineDownloads } from './examination/downloads.ts';
import { examineEngines } from './examination/engines.ts';
import type { ExaminationOptions, Examine } from './examination/examine.ts';
import { examineHub } from './examination/hub.ts';

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

import type { Finding } from '../src/api/library.ts';
import type { Services } from './compose.ts';
import { examineArtifacts } from './examination/artifacts.ts';
import { examineDisk } from './examination/disk.ts';
import { examineDownloads } from './examination/downloads.ts';
import { examineHub } from './examination/hub.ts';

export type ExaminationOptions = { hashes: boolean };
export type Examine = (
  services: Services,
  options: ExaminationOptions,
  signal: AbortSignal,
) => Promise<Finding[]> | Finding[];

/** What `askd doctor` asks the daemon, since only the daemon can see it. */
const EXAMINATIONS: readonly Examine[] = [examineDisk, examineArtifacts, examineDownloads, examineHub];

export async function examineLibrary(
  services: Services,
  options: ExaminationOptions,
  signal: AbortSignal,
): Promise<Finding[]> {
  const findings = await Promise.all(EXAMINATIONS.map((each) => each(services, options, signal)));
  return findings.flat();
}

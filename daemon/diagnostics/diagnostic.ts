import type { Finding } from '../../src/api/management/library.ts';
import type { Services } from '../compose.ts';

export type ExaminationOptions = {
  /** Reads every downloaded file again. */
  hashes: boolean;
};

export type Examine = (
  services: Services,
  options: ExaminationOptions,
  signal: AbortSignal,
) => Promise<Finding[]> | Finding[];

import type { Finding } from '../../src/api/management/library.ts';
import type { Services } from '../compose.ts';

export type DiagnosticOptions = {
  /** Verifies the hash of every downloaded file. */
  hashes: boolean;
};

export type Diagnostic = (
  services: Services,
  options: DiagnosticOptions,
  signal: AbortSignal,
) => Promise<Finding[]> | Finding[];

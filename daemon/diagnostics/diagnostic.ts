import type { Finding } from '../../src/api/management/library.ts';
import type { Services } from '../compose.ts';

export type DiagnosticOptions = {
  /** Reads every downloaded file again. */
  hashes: boolean;
};

export type Diagnostic = (
  services: Services,
  options: DiagnosticOptions,
  signal: AbortSignal,
) => Promise<Finding[]> | Finding[];

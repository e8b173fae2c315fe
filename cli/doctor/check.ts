import type { Finding } from '../../src/api/management/library.ts';
import type { Context } from '../context.ts';

export type CheckOptions = {
  /** Reads every downloaded file again. */
  hashes: boolean;
  /** Recomputes the wallet's ledger. */
  ledger: boolean;
};

export type Check = (context: Context, options: CheckOptions) => Promise<Finding[]> | Finding[];

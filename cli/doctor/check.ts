import type { Finding } from '../../src/api/management/library.ts';
import type { Context } from '../context.ts';

export type CheckOptions = {
  /** Verifies the hash of every downloaded file. */
  hashes: boolean;
  /** Audits the wallet's ledger. */
  ledger: boolean;
};

export type Check = (context: Context, options: CheckOptions) => Promise<Finding[]> | Finding[];

import type { GlobalOptions } from '../../environment.ts';

/** What a suggested command needs to apply to the same account. */
export function ofAccount({ account }: GlobalOptions): string {
  return account === undefined ? '' : ` --account ${account}`;
}

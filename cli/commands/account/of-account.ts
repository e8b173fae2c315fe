import type { GlobalOptions } from '../../environment.ts';

/** What a command that is suggested needs to be about the same account. */
export function ofAccount({ account }: GlobalOptions): string {
  return account === undefined ? '' : ` --account ${account}`;
}

import {
  createAccount,
  getAccount,
  listAccounts,
  resumeAccount,
  suspendAccount,
} from '../../src/api/account/accounts.ts';
import type { Http } from '../../src/api/http/http.ts';

/** The accounts of the daemon. */
export function accountCalls({ call }: Http) {
  return {
    create: (name: string) => call(createAccount, { body: { name } }),
    list: () => call(listAccounts),
    get: (name: string) => call(getAccount, { params: { name } }),
    suspend: (name: string) => call(suspendAccount, { params: { name } }),
    resume: (name: string) => call(resumeAccount, { params: { name } }),
  };
}

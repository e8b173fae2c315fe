import {
  createAccount,
  getAccount,
  listAccounts,
  resumeAccount,
  suspendAccount,
  type AccountRecord,
} from '../../../src/api/account/accounts.ts';
import type { Account } from '../../../src/access/accounts.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';

export function registerAccounts(register: RegisterRoute, services: Services): void {
  const { accounts, sessions, batches, webhooks, keys, wallet } = services;

  const toRecord = ({ id, name, tier, createdAt, suspendedAt }: Account): AccountRecord => ({
    id,
    name,
    tier,
    balance: wallet.balance(id).balance,
    active_keys: keys.countActive(id),
    created_at: createdAt,
    suspended_at: suspendedAt,
  });

  register(listAccounts, () => ({ accounts: accounts.list().map(toRecord) }));

  register(createAccount, ({ body }) => toRecord(accounts.create(body.name)));

  register(getAccount, ({ params: { name = '' } }) => toRecord(accounts.find(name)));

  register(suspendAccount, ({ params: { name = '' } }) => {
    const account = accounts.suspend(name);
    sessions.revokeAll(account.id);
    batches.hold(account.id);
    return toRecord(account);
  });

  register(resumeAccount, ({ params: { name = '' } }) => {
    const account = accounts.resume(name);
    batches.release();
    webhooks.worker.wake();
    return toRecord(account);
  });
}

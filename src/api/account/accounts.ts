import { Type, type Static } from '../schema.ts';
import { endpoint } from '../endpoint.ts';

const Timestamp = Type.String({ format: 'date-time' });

export const AccountName = Type.String({
  pattern: '^[a-z0-9][a-z0-9._-]*$',
  maxLength: 64,
  description: 'Lower-case letters, digits, dots, dashes and underscores.',
});

export const AccountRecord = Type.Object(
  {
    id: Type.String(),
    name: Type.String({ description: '"default" is the account of the owner of the daemon.' }),
    tier: Type.String(),
    balance: Type.Number({ description: 'Credits in its wallet.' }),
    active_keys: Type.Integer(),
    created_at: Timestamp,
    suspended_at: Type.Union([Timestamp, Type.Null()]),
  },
  { $id: 'Account' },
);
export type AccountRecord = Static<typeof AccountRecord>;

export const createAccount = endpoint({
  method: 'POST',
  path: '/api/accounts',
  summary: 'Create an account with a wallet, a tier and keys of its own',
  tag: 'Accounts',
  access: 'management',
  isAtomic: true,
  body: Type.Object({ name: AccountName }, { additionalProperties: false }),
  status: 201,
  response: AccountRecord,
});

export const listAccounts = endpoint({
  method: 'GET',
  path: '/api/accounts',
  summary: 'List the accounts of this daemon',
  tag: 'Accounts',
  access: 'management',
  response: Type.Object({ accounts: Type.Array(AccountRecord) }),
});

export const getAccount = endpoint({
  method: 'GET',
  path: '/api/accounts/{name}',
  summary: 'Get an account',
  tag: 'Accounts',
  access: 'management',
  response: AccountRecord,
});

export const suspendAccount = endpoint({
  method: 'POST',
  path: '/api/accounts/{name}/suspend',
  summary: 'Suspend an account: refuse its keys, end its sessions and pause its batches and webhooks',
  tag: 'Accounts',
  access: 'management',
  response: AccountRecord,
});

export const resumeAccount = endpoint({
  method: 'POST',
  path: '/api/accounts/{name}/resume',
  summary: 'Resume a suspended account',
  tag: 'Accounts',
  access: 'management',
  response: AccountRecord,
});

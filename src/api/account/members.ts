import { Type, type Static } from '../schema.ts';
import { endpoint } from '../endpoint.ts';
import { AccountName } from './accounts.ts';

const Timestamp = Type.String({ format: 'date-time' });

export const MemberRole = Type.Enum(['owner', 'member', 'billing'], {
  description:
    'owner: everything in the account. member: the playground and their own keys. billing: wallet and usage.',
});
export type MemberRole = Static<typeof MemberRole>;

export const MemberRecord = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    email: Type.Union([Type.String(), Type.Null()]),
    role: MemberRole,
    created_at: Timestamp,
  },
  { $id: 'Member' },
);
export type MemberRecord = Static<typeof MemberRecord>;

export const NewMember = Type.Object(
  {
    name: AccountName,
    role: MemberRole,
    email: Type.Optional(Type.String({ pattern: '^[^@\\s]+@[^@\\s]+$', maxLength: 254 })),
  },
  { $id: 'NewMember', additionalProperties: false },
);
export type NewMember = Static<typeof NewMember>;

export const listMembers = endpoint({
  method: 'GET',
  path: '/api/account/members',
  summary: 'List the members of the account',
  tag: 'Accounts',
  access: 'management',
  response: Type.Object({ members: Type.Array(MemberRecord) }),
});

export const addMember = endpoint({
  method: 'POST',
  path: '/api/account/members',
  summary: 'Add a member to the account',
  tag: 'Accounts',
  access: 'management',
  isAtomic: true,
  body: NewMember,
  status: 201,
  response: MemberRecord,
});

export const updateMember = endpoint({
  method: 'PATCH',
  path: '/api/account/members/{name}',
  summary: 'Change the role of a member',
  tag: 'Accounts',
  access: 'management',
  body: Type.Object({ role: MemberRole }, { additionalProperties: false }),
  response: MemberRecord,
});

export const removeMember = endpoint({
  method: 'DELETE',
  path: '/api/account/members/{name}',
  summary: 'Remove a member, end their sessions and revoke their keys',
  tag: 'Accounts',
  access: 'management',
  response: Type.Object({ success: Type.Literal(true) }),
});

export const createLoginLink = endpoint({
  method: 'POST',
  path: '/api/account/members/{name}/login-link',
  summary: 'Create a login link for a member; it works once, within a day',
  tag: 'Accounts',
  access: 'management',
  status: 201,
  response: Type.Object({ login_url: Type.String(), expires_at: Timestamp }),
});

export const WhoAmI = Type.Object(
  { account: Type.String(), member: Type.Union([Type.String(), Type.Null()]), role: MemberRole },
  { $id: 'WhoAmI' },
);
export type WhoAmI = Static<typeof WhoAmI>;

export const getCurrentSession = endpoint({
  method: 'GET',
  path: '/api/sessions/current',
  summary: 'Get who is signed in, with their account and role',
  tag: 'Sessions',
  access: 'session',
  response: WhoAmI,
});

import { Type, type Static } from '../schema.ts';
import { endpoint } from '../endpoint.ts';

export const TierName = Type.Enum(['free', 'developer', 'startup', 'enterprise']);

const PositiveInteger = Type.Integer({ minimum: 1, maximum: 1_000_000_000_000 });

export const TierRecord = Type.Object(
  {
    profile: Type.String(),
    tier: TierName,
    rpm: Type.Integer({ description: 'Requests per minute; 1000000000 when unlimited.' }),
    tpm: Type.Integer({ description: 'Tokens per minute; 1000000000 when unlimited.' }),
    monthly_tokens: Type.Union([Type.Integer(), Type.Null()]),
    used_tokens: Type.Integer({ description: 'In this calendar month, in UTC.' }),
  },
  { $id: 'Tier' },
);
export type TierRecord = Static<typeof TierRecord>;

export const TierChange = Type.Object(
  {
    tier: TierName,
    rpm: Type.Optional(PositiveInteger),
    tpm: Type.Optional(PositiveInteger),
    monthly_tokens: Type.Optional(PositiveInteger),
  },
  { $id: 'TierChange', additionalProperties: false },
);
export type TierChange = Static<typeof TierChange>;

export const ProfileChange = Type.Object(
  { profile: Type.Enum(['personal', 'hosted']) },
  { $id: 'ProfileChange', additionalProperties: false },
);
export type ProfileChange = Static<typeof ProfileChange>;

export const getTier = endpoint({
  method: 'GET',
  path: '/api/account/tier',
  summary: 'Get the tier of the account and its limits',
  tag: 'Account',
  access: 'management',
  response: TierRecord,
});

export const setTier = endpoint({
  method: 'PUT',
  path: '/api/account/tier',
  summary: 'Change the tier; custom limits are for enterprise only',
  tag: 'Account',
  access: 'management',
  isAtomic: true,
  body: TierChange,
  response: TierRecord,
});

export const setProfile = endpoint({
  method: 'PUT',
  path: '/api/account/profile',
  summary: 'Apply the tier and wallet settings of a profile',
  tag: 'Account',
  access: 'management',
  isAtomic: true,
  body: ProfileChange,
  response: TierRecord,
});

export const LedgerAudit = Type.Object(
  {
    wallets: Type.Integer(),
    transactions: Type.Integer(),
    open_holds: Type.Integer(),
    findings: Type.Array(Type.Object({ invariant: Type.String(), detail: Type.String() }), {
      description: 'The invariants that are violated. Empty when the ledger is consistent.',
    }),
  },
  { $id: 'LedgerAudit' },
);
export type LedgerAudit = Static<typeof LedgerAudit>;

export const auditLedger = endpoint({
  method: 'GET',
  path: '/api/daemon/ledger',
  summary: 'Recompute the whole ledger and compare it',
  tag: 'Daemon',
  access: 'control',
  response: LedgerAudit,
});

import { Type, type Static } from '../schema.ts';
import { endpoint } from '../endpoint.ts';

export const KEY_NAME_LENGTH_MAX = 255;

const Timestamp = Type.String({ format: 'date-time' });
const OptionalTimestamp = Type.Union([Timestamp, Type.Null()]);
const GrantableScope = Type.Enum(['chat', 'read', 'write', 'admin']);

const Credits = (description: string) => Type.Number({ minimum: 0, maximum: 8_000_000, description });
const Tokens = (description: string) => Type.Integer({ minimum: 1, maximum: 1_000_000_000_000, description });
const Requests = (description: string) => Type.Integer({ minimum: 1, maximum: 1_000_000_000, description });

/** What a request sets. Null means no limit of its own. */
const BUDGET_LIMITS = {
  credits_per_month: Type.Optional(
    Type.Union([Credits('What this key may spend in a calendar month, in UTC.'), Type.Null()]),
  ),
  tokens_per_month: Type.Optional(
    Type.Union([Tokens('Tokens of prompts and answers in a calendar month, in UTC.'), Type.Null()]),
  ),
  rpm: Type.Optional(Type.Union([Requests('Requests per minute.'), Type.Null()])),
};
const CLEARABLE = Object.keys(BUDGET_LIMITS);

export const KeyBudget = Type.Object(
  {
    credits_per_month: Type.Union([Type.Number(), Type.Null()]),
    tokens_per_month: Type.Union([Type.Integer(), Type.Null()]),
    rpm: Type.Union([Type.Integer(), Type.Null()]),
    credits_used: Type.Number({ description: 'In this calendar month. Refunds are not subtracted.' }),
    tokens_used: Type.Integer({ description: 'In this calendar month.' }),
  },
  {
    $id: 'KeyBudget',
    description: 'What a key may use, in addition to the limits of the account. Null means no limit.',
  },
);
export type KeyBudget = Static<typeof KeyBudget>;

const IsTest = Type.Optional(
  Type.Literal(true, { description: 'It may request simulated failures: see docs/testing.md.' }),
);

export const ApiKey = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    key_prefix: Type.String(),
    scopes: Type.Array(Type.String()),
    last_used_at: OptionalTimestamp,
    expires_at: OptionalTimestamp,
    is_active: Type.Boolean(),
    created_at: Timestamp,
    budget: KeyBudget,
    is_test: IsTest,
  },
  { $id: 'ApiKey' },
);
export type ApiKey = Static<typeof ApiKey>;

export const CreatedApiKey = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    key_prefix: Type.String(),
    scopes: Type.Array(Type.String()),
    expires_at: OptionalTimestamp,
    created_at: Timestamp,
    budget: Type.Optional(KeyBudget),
    is_test: IsTest,
    key: Type.String({ description: 'The full secret. It is shown only once.' }),
  },
  { $id: 'CreatedApiKey' },
);
export type CreatedApiKey = Static<typeof CreatedApiKey>;

export const CreateApiKeyRequest = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: KEY_NAME_LENGTH_MAX }),
    scopes: Type.Optional(
      Type.Array(GrantableScope, { minItems: 1, uniqueItems: true, default: ['chat', 'read'] }),
    ),
    expires_at: Type.Optional(OptionalTimestamp),
    test: Type.Optional(Type.Boolean({ description: 'Whether it may request simulated failures.' })),
    ...BUDGET_LIMITS,
  },
  { $id: 'CreateApiKeyRequest', additionalProperties: false },
);
export type CreateApiKeyRequest = Static<typeof CreateApiKeyRequest>;

export const UpdateApiKeyRequest = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: KEY_NAME_LENGTH_MAX })),
    scopes: Type.Optional(Type.Array(GrantableScope, { minItems: 1, uniqueItems: true })),
    is_active: Type.Optional(Type.Boolean({ description: 'False disables the key without revoking it.' })),
    ...BUDGET_LIMITS,
  },
  { $id: 'UpdateApiKeyRequest', additionalProperties: false, minProperties: 1 },
);
export type UpdateApiKeyRequest = Static<typeof UpdateApiKeyRequest>;

export const RotateApiKeyRequest = Type.Object(
  {
    grace_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 30 * 24 * 3600,
        default: 0,
        description: 'How long the old secret keeps working.',
      }),
    ),
  },
  { $id: 'RotateApiKeyRequest', additionalProperties: false },
);
export type RotateApiKeyRequest = Static<typeof RotateApiKeyRequest>;

const Success = Type.Object({ success: Type.Literal(true) });

export const listKeys = endpoint({
  method: 'GET',
  path: '/api/keys',
  summary: 'List API keys with their budgets, newest first, without their secrets',
  tag: 'Keys',
  access: 'management',
  response: Type.Array(ApiKey),
});

export const createKey = endpoint({
  method: 'POST',
  path: '/api/keys',
  summary: 'Create an API key; only this response contains its secret',
  tag: 'Keys',
  access: 'management',
  isAtomic: true,
  body: CreateApiKeyRequest,
  status: 201,
  response: CreatedApiKey,
});

export const updateKey = endpoint({
  method: 'PATCH',
  path: '/api/keys/{id}',
  summary: 'Rename an API key, change its scopes or budget, or disable and enable it',
  tag: 'Keys',
  access: 'management',
  isAtomic: true,
  body: UpdateApiKeyRequest,
  clearable: CLEARABLE,
  response: Success,
});

export const rotateKey = endpoint({
  method: 'POST',
  path: '/api/keys/{id}/rotate',
  summary: 'Replace an API key with one that has a new secret',
  tag: 'Keys',
  access: 'management',
  isAtomic: true,
  body: RotateApiKeyRequest,
  status: 201,
  response: CreatedApiKey,
});

export const deleteKey = endpoint({
  method: 'DELETE',
  path: '/api/keys/{id}',
  summary: 'Revoke an API key permanently',
  tag: 'Keys',
  access: 'management',
  isAtomic: true,
  response: Success,
});

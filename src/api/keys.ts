import { Type, type Static } from 'typebox';
import { endpoint } from './endpoint.ts';

export const KEY_NAME_LENGTH_MAX = 255;

const Timestamp = Type.String({ format: 'date-time' });
const OptionalTimestamp = Type.Union([Timestamp, Type.Null()]);
const GrantableScope = Type.Enum(['chat', 'read', 'write', 'admin']);

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
    key: Type.String({ description: 'The full secret, shown this once.' }),
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
  },
  { $id: 'CreateApiKeyRequest', additionalProperties: false },
);
export type CreateApiKeyRequest = Static<typeof CreateApiKeyRequest>;

export const listKeys = endpoint({
  method: 'GET',
  path: '/api/keys',
  summary: 'List API keys, newest first, never with their secrets',
  tag: 'Keys',
  access: 'management',
  response: Type.Array(ApiKey),
});

export const createKey = endpoint({
  method: 'POST',
  path: '/api/keys',
  summary: 'Create an API key; its secret is in this answer alone',
  tag: 'Keys',
  access: 'management',
  body: CreateApiKeyRequest,
  status: 201,
  response: CreatedApiKey,
});

export const deleteKey = endpoint({
  method: 'DELETE',
  path: '/api/keys/{id}',
  summary: 'Revoke an API key for good',
  tag: 'Keys',
  access: 'management',
  response: Type.Object({ success: Type.Literal(true) }),
});

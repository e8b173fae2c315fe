import { Type, type Static } from '../schema.ts';
import { endpoint } from '../endpoint.ts';

/** What this machine knows about a model, in addition to the contract's fields. */
export const LocalModel = Type.Object({
  state: Type.Enum(['ready', 'not_installed', 'downloading', 'loading', 'loaded']),
  artifact: Type.Union([Type.String(), Type.Null()]),
  engine: Type.Union([Type.String(), Type.Null()]),
  bytes: Type.Union([Type.Integer(), Type.Null()]),
  licence: Type.Union([Type.String(), Type.Null()]),
  memory_bytes: Type.Union([Type.Integer(), Type.Null()]),
  context_tokens: Type.Union([Type.Integer(), Type.Null()]),
  context_reason: Type.Optional(Type.String({ description: 'Why the context has this length.' })),
  flash_attention: Type.Optional(Type.Enum(['auto', 'on', 'off'])),
  kv_cache_type: Type.Optional(
    Type.Enum(['f16', 'q8_0', 'q4_0'], { description: 'The data type of the KV cache of a chat model.' }),
  ),
  fallbacks: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Artifacts to use, in this order, while this one is unavailable.',
    }),
  ),
  notice: Type.Optional(Type.String()),
  missing: Type.Optional(
    Type.Object(
      { code: Type.String(), message: Type.String(), fix: Type.Optional(Type.String()) },
      { description: 'For one model: the error of a request to it, and the command that fixes it.' },
    ),
  ),
  method: Type.Optional(
    Type.String({ description: 'How it performs its task, if there is more than one way.' }),
  ),
});
export type LocalModel = Static<typeof LocalModel>;

export const Model = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('model'),
    type: Type.Literal('model', { description: "Used by Anthropic's Models API, like the next two." }),
    display_name: Type.String(),
    created_at: Type.String({ description: 'RFC 3339.' }),
    created: Type.Integer(),
    owned_by: Type.String(),
    category: Type.String(),
    version: Type.String(),
    capabilities: Type.Record(Type.String(), Type.Boolean()),
    pricing: Type.Record(Type.String(), Type.Union([Type.Number(), Type.String()])),
    specifications: Type.Record(Type.String(), Type.Union([Type.Number(), Type.String()])),
    status: Type.Enum(['active', 'beta', 'deprecated']),
    local: LocalModel,
  },
  { $id: 'Model' },
);
export type Model = Static<typeof Model>;

export const ModelList = Type.Object(
  {
    object: Type.Literal('list'),
    data: Type.Array(Model),
    has_more: Type.Boolean({ description: 'Always false: the list is not paginated.' }),
    first_id: Type.Union([Type.String(), Type.Null()]),
    last_id: Type.Union([Type.String(), Type.Null()]),
  },
  { $id: 'ModelList' },
);
export type ModelList = Static<typeof ModelList>;

export const listModels = endpoint({
  method: 'GET',
  path: '/v1/models',
  summary: 'List the service models, then the artifacts on this machine',
  tag: 'Models',
  access: 'public',
  response: ModelList,
});

export const getModel = endpoint({
  method: 'GET',
  path: '/v1/models/{model_id*}',
  summary: 'Get a model; its id may contain slashes',
  tag: 'Models',
  access: 'read',
  response: Model,
});

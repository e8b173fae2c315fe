import { Type, type Static } from '../schema.ts';
import { endpoint } from '../endpoint.ts';

const Nullable = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) =>
  Type.Union([schema, Type.Null()]);

export const LoadedModel = Type.Object({
  artifact: Type.String(),
  services: Type.Array(Type.String()),
  state: Type.Enum(['waiting', 'loading', 'loaded', 'leaving']),
  progress: Nullable(Type.Number({ description: 'How much is read, from 0 to 1, while it loads.' })),
  engine: Type.String(),
  device: Nullable(Type.String({ description: 'Where it runs: cpu, or the kind and names of the cards.' })),
  fallback: Nullable(Type.String({ description: 'Why it does not run on a card that is there.' })),
  build: Nullable(Type.Enum(['prebuilt', 'local'])),
  pid: Nullable(Type.Integer()),
  bytes: Type.Integer({ description: 'Memory of the runner as last measured.' }),
  context_tokens: Nullable(Type.Integer({ description: 'Null for what only hears, speaks or draws.' })),
  context_reason: Nullable(Type.String({ description: 'Why its context is as long as it is.' })),
  threads: Nullable(Type.Integer()),
  flash_attention: Nullable(Type.Enum(['auto', 'on', 'off'])),
  kv_cache_type: Nullable(
    Type.Enum(['f16', 'q8_0', 'q4_0'], { description: 'As what numbers the context is kept.' }),
  ),
  drafts: Nullable(
    Type.Object(
      {
        by: Type.String({ description: 'A smaller model, or "prompt": the text itself.' }),
        drafted: Type.Integer(),
        accepted: Type.Integer(),
      },
      { description: 'Tokens that were guessed ahead since the load, and how many were right.' },
    ),
  ),
  slots: Type.Integer(),
  busy: Type.Integer(),
  queued: Type.Integer(),
  loaded_at: Nullable(Type.String()),
  pinned: Type.Boolean(),
  expires_at: Nullable(
    Type.String({
      description: 'When it leaves if nobody uses it; null while somebody does, and when it stays.',
    }),
  ),
});
export type LoadedModel = Static<typeof LoadedModel>;

export const listLoaded = endpoint({
  method: 'GET',
  path: '/api/daemon/ps',
  summary: 'The models in memory and their runners',
  tag: 'Daemon',
  access: 'control',
  response: Type.Object({ models: Type.Array(LoadedModel) }),
});

export const stopModel = endpoint({
  method: 'POST',
  path: '/api/daemon/stop',
  summary: 'Take a model out of memory',
  tag: 'Daemon',
  access: 'control',
  body: Type.Object({ model: Type.String() }, { additionalProperties: false }),
  response: Type.Object({ stopped: Type.Boolean() }),
});

export const LoadRequest = Type.Object(
  {
    model: Type.String({ minLength: 1 }),
    pin: Type.Optional(Type.Boolean({ description: 'Never leaves by itself, whoever needs the memory.' })),
    keep_alive: Type.Optional(
      Type.String({ description: 'How long it stays unused: 30s, 10m, 1h30m, 0 or forever.' }),
    ),
  },
  { additionalProperties: false },
);
export type LoadRequest = Static<typeof LoadRequest>;

export const loadModel = endpoint({
  method: 'POST',
  path: '/api/daemon/load',
  summary: 'Bring a model into memory and say how long it stays',
  tag: 'Daemon',
  access: 'control',
  body: LoadRequest,
  response: LoadedModel,
});

export const Estimate = Type.Object({
  artifact: Type.String(),
  context_tokens: Nullable(
    Type.Integer({ description: 'Of one request; null for a model that has no context.' }),
  ),
  context_reason: Nullable(Type.String()),
  slots: Type.Integer(),
  weights_bytes: Type.Integer(),
  context_bytes: Type.Integer({ description: 'Of all slots, with the buffers to work in.' }),
  overhead_bytes: Type.Integer(),
  estimated_bytes: Type.Integer(),
  measured_bytes: Nullable(
    Type.Integer({ description: 'At an earlier load like this; it counts, not the estimate.' }),
  ),
  budget_bytes: Type.Integer(),
  fits: Type.Boolean({ description: 'Whether it does when nothing else is in memory.' }),
});
export type Estimate = Static<typeof Estimate>;

export const estimateModel = endpoint({
  method: 'POST',
  path: '/api/daemon/estimate',
  summary: 'How much memory a model would take, without loading it',
  tag: 'Daemon',
  access: 'control',
  body: Type.Object({ model: Type.String({ minLength: 1 }) }, { additionalProperties: false }),
  response: Estimate,
});

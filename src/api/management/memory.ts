import { Type, type Static } from '../schema.ts';
import { endpoint } from '../endpoint.ts';

const Nullable = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) =>
  Type.Union([schema, Type.Null()]);

export const LoadedModel = Type.Object({
  artifact: Type.String(),
  services: Type.Array(Type.String()),
  state: Type.Enum(['waiting', 'loading', 'loaded', 'leaving']),
  progress: Nullable(Type.Number({ description: 'Load progress, from 0 to 1.' })),
  engine: Type.String(),
  device: Nullable(Type.String({ description: 'Where it runs: cpu, or the backend and names of the GPUs.' })),
  layers: Nullable(
    Type.Object(
      { on_cards: Type.Integer(), all: Type.Integer() },
      { description: 'How many of its layers are on graphics cards; null if the engine does not report it.' },
    ),
  ),
  fallback: Nullable(Type.String({ description: 'Why it does not run on an available GPU.' })),
  build: Nullable(Type.Enum(['prebuilt', 'local'])),
  pid: Nullable(Type.Integer()),
  sandbox: Nullable(
    Type.Enum(['bubblewrap', 'sandbox-exec'], {
      description: 'The sandbox of its runner; null without one.',
    }),
  ),
  bytes: Type.Integer({ description: 'Memory of the runner process, as last measured.' }),
  cards: Type.Array(
    Type.Object({
      ...{ index: Type.Integer(), backend: Type.String(), name: Type.String() },
      bytes: Type.Integer(),
    }),
    { description: 'The graphics cards whose memory it has; of several, each part is an estimate.' },
  ),
  context_tokens: Nullable(
    Type.Integer({ description: 'Null for models that only transcribe, speak or generate images.' }),
  ),
  context_reason: Nullable(Type.String({ description: 'Why the context has this length.' })),
  threads: Nullable(Type.Integer()),
  flash_attention: Nullable(Type.Enum(['auto', 'on', 'off'])),
  kv_cache_type: Nullable(
    Type.Enum(['f16', 'q8_0', 'q4_0'], { description: 'The data type of the KV cache.' }),
  ),
  drafts: Nullable(
    Type.Object(
      {
        by: Type.String({ description: 'A draft model, or "prompt" for prompt lookup.' }),
        drafted: Type.Integer(),
        accepted: Type.Integer(),
      },
      { description: 'Draft tokens since the load, and how many were accepted.' },
    ),
  ),
  prompt_cache: Nullable(
    Type.Object(
      {
        bytes: Type.Integer(),
        bytes_max: Type.Integer({ description: 'How much of `prompt_cache_bytes` it may take now.' }),
        entries: Type.Integer(),
        hits: Type.Integer({ description: 'Requests since the load that continued from it.' }),
      },
      {
        description: 'Earlier conversations in memory that no slot holds; null for a model without a cache.',
      },
    ),
  ),
  slots: Type.Integer(),
  busy: Type.Integer(),
  queued: Type.Integer(),
  loaded_at: Nullable(Type.String()),
  pinned: Type.Boolean(),
  expires_at: Nullable(
    Type.String({
      description: 'When it is unloaded if it stays idle; null while it is in use or kept in memory.',
    }),
  ),
});
export type LoadedModel = Static<typeof LoadedModel>;

export const listLoaded = endpoint({
  method: 'GET',
  path: '/api/daemon/ps',
  summary: 'List the models in memory and their runners',
  tag: 'Daemon',
  access: 'control',
  response: Type.Object({ models: Type.Array(LoadedModel) }),
});

export const stopModel = endpoint({
  method: 'POST',
  path: '/api/daemon/stop',
  summary: 'Unload a model from memory',
  tag: 'Daemon',
  access: 'control',
  body: Type.Object({ model: Type.String() }, { additionalProperties: false }),
  response: Type.Object({ stopped: Type.Boolean() }),
});

export const LoadRequest = Type.Object(
  {
    model: Type.String({ minLength: 1 }),
    pin: Type.Optional(
      Type.Boolean({ description: 'Never unload it, even if other models need the memory.' }),
    ),
    keep_alive: Type.Optional(
      Type.String({ description: 'How long to keep it when idle: 30s, 10m, 1h30m, 0 or forever.' }),
    ),
  },
  { additionalProperties: false },
);
export type LoadRequest = Static<typeof LoadRequest>;

export const loadModel = endpoint({
  method: 'POST',
  path: '/api/daemon/load',
  summary: 'Load a model into memory and set how long it stays',
  tag: 'Daemon',
  access: 'control',
  body: LoadRequest,
  response: LoadedModel,
});

export const Estimate = Type.Object({
  artifact: Type.String(),
  context_tokens: Nullable(
    Type.Integer({ description: 'Context of one request; null for a model without a context.' }),
  ),
  context_reason: Nullable(Type.String()),
  slots: Type.Integer(),
  weights_bytes: Type.Integer(),
  context_bytes: Type.Integer({ description: 'The context of all slots, including compute buffers.' }),
  overhead_bytes: Type.Integer(),
  estimated_bytes: Type.Integer(),
  measured_bytes: Nullable(
    Type.Integer({
      description: 'Measured at an earlier load with the same settings; it replaces the estimate.',
    }),
  ),
  budget_bytes: Type.Integer(),
  fits: Type.Boolean({ description: 'Whether it fits when nothing else is in memory.' }),
});
export type Estimate = Static<typeof Estimate>;

export const estimateModel = endpoint({
  method: 'POST',
  path: '/api/daemon/estimate',
  summary: 'Estimate the memory that a model needs, without loading it',
  tag: 'Daemon',
  access: 'control',
  body: Type.Object({ model: Type.String({ minLength: 1 }) }, { additionalProperties: false }),
  response: Estimate,
});

import { endpoint } from '../endpoint.ts';
import { modelsPolicy } from '../parameters/ollama.ts';
import { Type, type Static } from '../schema.ts';
import { Named } from './common.ts';

const Details = Type.Object({
  parent_model: Type.String(),
  format: Type.String(),
  family: Type.String(),
  families: Type.Array(Type.String()),
  parameter_size: Type.String(),
  quantization_level: Type.String(),
});

const Listed = {
  name: Type.String(),
  model: Type.String(),
  size: Type.Integer(),
  digest: Type.String(),
  details: Details,
};
const Tag = Type.Object({ ...Listed, modified_at: Type.String() });
const Running = Type.Object({
  ...Listed,
  expires_at: Type.String(),
  size_vram: Type.Integer(),
  context_length: Type.Integer(),
});
export type Details = Static<typeof Details>;
export type Tag = Static<typeof Tag>;
export type Running = Static<typeof Running>;

export const Shown = Type.Object(
  {
    license: Type.String(),
    modelfile: Type.String(),
    parameters: Type.String(),
    template: Type.String(),
    details: Details,
    model_info: Type.Record(Type.String(), Type.Unknown()),
    capabilities: Type.Array(Type.String()),
    modified_at: Type.String(),
  },
  { $id: 'OllamaModel' },
);
export type Shown = Static<typeof Shown>;

const Progress = Type.Object(
  {
    status: Type.String(),
    digest: Type.Optional(Type.String()),
    total: Type.Optional(Type.Integer()),
    completed: Type.Optional(Type.Integer()),
  },
  { $id: 'OllamaProgress' },
);
export type Progress = Static<typeof Progress>;

const tag = 'Ollama';
const Empty = Type.Unknown();

export const ollamaVersion = endpoint({
  method: 'GET',
  path: '/api/version',
  summary: 'The version of Ollama whose API this is',
  tag,
  access: 'read',
  response: Type.Object({ version: Type.String() }),
});

export const ollamaTags = endpoint({
  method: 'GET',
  path: '/api/tags',
  summary: 'Models on this machine, as Ollama lists them',
  tag,
  access: 'read',
  response: Type.Object({ models: Type.Array(Tag) }),
});

export const ollamaPs = endpoint({
  method: 'GET',
  path: '/api/ps',
  summary: 'Models in memory, as Ollama lists them',
  tag,
  access: 'read',
  response: Type.Object({ models: Type.Array(Running) }),
});

export const ollamaShow = endpoint({
  method: 'POST',
  path: '/api/show',
  summary: 'One model, as Ollama shows it',
  tag,
  access: 'read',
  body: Type.Object({ ...Named }, { additionalProperties: false }),
  policy: modelsPolicy,
  response: Shown,
});

export const ollamaPull = endpoint({
  method: 'POST',
  path: '/api/pull',
  summary: 'Download a model and report progress, as Ollama does',
  tag,
  access: 'control',
  body: Type.Object({ ...Named, stream: Type.Optional(Type.Boolean()) }, { additionalProperties: false }),
  policy: modelsPolicy,
  response: Progress,
  event: Progress,
  eventType: 'application/x-ndjson',
});

export const ollamaCopy = endpoint({
  method: 'POST',
  path: '/api/copy',
  summary: 'Give a model a second name, as Ollama does',
  tag,
  access: 'control',
  body: Type.Object(
    { source: Type.String({ minLength: 1 }), destination: Type.String({ minLength: 1 }) },
    { additionalProperties: false },
  ),
  policy: modelsPolicy,
  response: Empty,
});

export const ollamaDelete = endpoint({
  method: 'DELETE',
  path: '/api/delete',
  summary: 'Remove a model or one of its names, as Ollama does',
  tag,
  access: 'control',
  body: Type.Object({ ...Named }, { additionalProperties: false }),
  policy: modelsPolicy,
  response: Empty,
});

/** Rejected, with a message that names the command to use instead. */
export const ollamaRefused = [
  endpoint({
    method: 'POST',
    path: '/api/create',
    summary: 'Not supported: import models with askd import',
    tag,
    access: 'control',
    response: Empty,
  }),
  endpoint({
    method: 'POST',
    path: '/api/push',
    summary: 'Not supported: askd does not publish models',
    tag,
    access: 'control',
    response: Empty,
  }),
  endpoint({
    method: 'POST',
    path: '/api/blobs/{digest}',
    summary: 'Not supported: import models with askd import',
    tag,
    access: 'control',
    response: Empty,
  }),
] as const;

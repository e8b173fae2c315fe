import { endpoint } from '../endpoint.ts';
import { ollamaPolicy } from '../parameters/ollama.ts';
import { Type, type Static } from '../schema.ts';
import { KeepAlive, Named, Options } from './common.ts';

const Texts = Type.Union([Type.String(), Type.Array(Type.String())]);

export const EmbedRequest = Type.Object(
  {
    ...Named,
    input: Texts,
    dimensions: Type.Optional(Type.Integer({ minimum: 1 })),
    keep_alive: KeepAlive,
    options: Options,
  },
  { additionalProperties: false },
);
export type EmbedRequest = Static<typeof EmbedRequest>;

export const ollamaEmbed = endpoint({
  method: 'POST',
  path: '/api/embed',
  summary: 'Create embeddings, as Ollama does',
  tag: 'Ollama',
  access: 'chat',
  body: EmbedRequest,
  policy: ollamaPolicy,
  response: Type.Object({
    model: Type.String(),
    embeddings: Type.Array(Type.Array(Type.Number())),
    total_duration: Type.Integer(),
    load_duration: Type.Integer(),
    prompt_eval_count: Type.Integer(),
  }),
});

export const ollamaEmbeddings = endpoint({
  method: 'POST',
  path: '/api/embeddings',
  summary: 'Create an embedding, as the older Ollama API does',
  tag: 'Ollama',
  access: 'chat',
  body: Type.Object(
    { ...Named, prompt: Type.Optional(Type.String()), keep_alive: KeepAlive, options: Options },
    { additionalProperties: false },
  ),
  policy: ollamaPolicy,
  response: Type.Object({ embedding: Type.Array(Type.Number()) }),
});

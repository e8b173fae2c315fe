import { Type, type Static } from '../schema.ts';
import { Artifact } from './daemon.ts';
import { endpoint } from '../endpoint.ts';

export const UPSTREAM_TASKS = [
  ...(['chat', 'embed', 'rerank', 'moderate', 'translate'] as const),
  ...(['transcribe', 'speak', 'draw'] as const),
] as const;

export const UpstreamRequest = Type.Object(
  {
    id: Type.String({ pattern: '^[A-Za-z0-9]+([._/-][A-Za-z0-9]+)*$', maxLength: 100 }),
    base_urls: Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
      minItems: 1,
      maxItems: 64,
      description:
        'Base URLs of servers with the same model, each including /v1. Requests are balanced across them.',
    }),
    model: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'The name of the model on those servers.',
    }),
    tasks: Type.Array(Type.Enum(UPSTREAM_TASKS), {
      minItems: 1,
      uniqueItems: true,
    }),
    key: Type.Optional(
      Type.String({ minLength: 1, maxLength: 1000, description: 'Write-only: it is never returned.' }),
    ),
    context_tokens: Type.Optional(Type.Integer({ minimum: 64, maximum: 16_777_216, default: 131_072 })),
    dimensions: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 65_536, description: 'For an embedding model.' }),
    ),
  },
  { $id: 'UpstreamRequest', additionalProperties: false },
);
export type UpstreamRequest = Static<typeof UpstreamRequest>;

export const addUpstream = endpoint({
  method: 'POST',
  path: '/api/daemon/upstreams',
  summary: 'Serve a model from other OpenAI-compatible servers',
  tag: 'Daemon',
  access: 'control',
  body: UpstreamRequest,
  status: 201,
  response: Artifact,
});

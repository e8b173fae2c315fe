import { Type, type Static } from '../schema.ts';
import { endpoint } from '../endpoint.ts';
import { embeddingsPolicy } from '../parameters/embeddings.ts';
import { EMBEDDING_INPUTS_MAX } from '../account/limits.ts';

const Text = Type.String({ minLength: 1 });
const Tokens = Type.Array(Type.Integer({ minimum: 0 }), { minItems: 1 });
const many = { minItems: 1, maxItems: EMBEDDING_INPUTS_MAX };

export const EmbeddingRequest = Type.Object(
  {
    model: Type.String({ minLength: 1 }),
    input: Type.Union([Text, Type.Array(Text, many), Tokens, Type.Array(Tokens, many)]),
    encoding_format: Type.Optional(Type.Enum(['float', 'base64'], { default: 'float' })),
    dimensions: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { $id: 'EmbeddingRequest', additionalProperties: false },
);
export type EmbeddingRequest = Static<typeof EmbeddingRequest>;

export const TokenCost = Type.Object({
  total_usd: Type.Number(),
  price_per_million_tokens: Type.Number(),
});
export type TokenCost = Static<typeof TokenCost>;

export const EmbeddingResult = Type.Object(
  {
    object: Type.Literal('list'),
    data: Type.Array(
      Type.Object({
        object: Type.Literal('embedding'),
        index: Type.Integer(),
        embedding: Type.Union([Type.Array(Type.Number()), Type.String()], {
          description: 'Numbers, or the bytes of little-endian 32-bit floats in base64.',
        }),
      }),
    ),
    model: Type.String(),
    usage: Type.Object({ prompt_tokens: Type.Integer(), total_tokens: Type.Integer() }),
    cost: TokenCost,
  },
  { $id: 'EmbeddingResult' },
);
export type EmbeddingResult = Static<typeof EmbeddingResult>;

export const createEmbedding = endpoint({
  method: 'POST',
  path: '/v1/embeddings',
  summary: 'Create embeddings: normalized vectors of texts',
  tag: 'Embeddings',
  access: 'chat',
  body: EmbeddingRequest,
  policy: embeddingsPolicy,
  response: EmbeddingResult,
});

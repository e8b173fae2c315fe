import { Type, type Static } from './schema.ts';
import { endpoint } from './endpoint.ts';
import { RERANK_DOCUMENTS_MAX } from './limits.ts';

const Text = Type.String({ minLength: 1 });

export const RerankRequest = Type.Object(
  {
    model: Type.String({ minLength: 1 }),
    query: Text,
    documents: Type.Array(Type.Union([Text, Type.Object({ text: Text }, { additionalProperties: false })]), {
      minItems: 1,
      maxItems: RERANK_DOCUMENTS_MAX,
    }),
    top_n: Type.Optional(
      Type.Integer({ minimum: 1, description: 'All when it is absent or null, or greater than there are.' }),
    ),
    return_documents: Type.Optional(Type.Boolean({ default: false })),
    stream: Type.Optional(
      Type.Boolean({ default: false, description: 'Server-sent events: how far it is, then the answer.' }),
    ),
  },
  { $id: 'RerankRequest', additionalProperties: false },
);
export type RerankRequest = Static<typeof RerankRequest>;

export const RerankResult = Type.Object(
  {
    id: Type.String(),
    model: Type.String(),
    results: Type.Array(
      Type.Object({
        index: Type.Integer(),
        relevance_score: Type.Number({ minimum: 0, maximum: 1 }),
        document: Type.Optional(Type.String()),
      }),
    ),
    usage: Type.Object({ prompt_tokens: Type.Integer(), total_tokens: Type.Integer() }),
    meta: Type.Object({ billed_units: Type.Object({ search_units: Type.Integer() }) }),
  },
  { $id: 'RerankResult' },
);
export type RerankResult = Static<typeof RerankResult>;

export const RerankProgress = Type.Object({
  progress: Type.Object({ scored: Type.Integer(), total: Type.Integer() }),
});
export type RerankProgress = Static<typeof RerankProgress>;

/** Each time when another hundredth of the documents has its score, and at last the answer. */
export const RerankEvent = Type.Union([RerankProgress, RerankResult], { $id: 'RerankEvent' });
export type RerankEvent = Static<typeof RerankEvent>;

export const createRerank = endpoint({
  method: 'POST',
  path: '/v1/rerank',
  summary: 'Sort documents by how well they answer a query; a long document counts by its best part',
  tag: 'Rerank',
  access: 'chat',
  body: RerankRequest,
  response: RerankResult,
  event: RerankEvent,
});

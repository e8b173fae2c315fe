import { Type, type Static } from '../schema.ts';
import { endpoint } from '../endpoint.ts';
import { RERANK_DOCUMENTS_MAX } from '../account/limits.ts';
import { rerankPolicy } from '../parameters/rerank.ts';

const Text = Type.String({ minLength: 1 });

const Documents = Type.Array(
  Type.Union([
    Type.String(),
    Type.Object({ text: Type.Optional(Type.String()) }, { additionalProperties: true }),
  ]),
  { minItems: 1, maxItems: RERANK_DOCUMENTS_MAX },
);

const Options = {
  query: Text,
  top_n: Type.Optional(Type.Integer({ minimum: 1, description: 'All by default.' })),
  return_documents: Type.Optional(Type.Boolean({ default: false })),
  rank_fields: Type.Optional(
    Type.Array(Text, { minItems: 1, description: 'The fields of a document to rank; "text" by default.' }),
  ),
  max_tokens_per_doc: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Longer documents are truncated.' }),
  ),
  stream: Type.Optional(
    Type.Boolean({ default: false, description: 'Server-sent events: progress, then the response.' }),
  ),
};

export const RerankRequest = Type.Object(
  { model: Type.String({ minLength: 1 }), documents: Documents, ...Options },
  { $id: 'RerankRequest', additionalProperties: false },
);
export type RerankRequest = Static<typeof RerankRequest>;

/** Other servers' paths for this: the model is optional, and documents may be called texts. */
export const RerankAliasRequest = Type.Object(
  {
    model: Type.Optional(Type.String({ minLength: 1, default: 'svc-rerank-v1' })),
    documents: Type.Optional(Documents),
    texts: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: RERANK_DOCUMENTS_MAX,
        description: 'Instead of documents: the response is a list, as in text-embeddings-inference.',
      }),
    ),
    return_text: Type.Optional(Type.Boolean({ description: 'The same as return_documents, with "texts".' })),
    ...Options,
  },
  { $id: 'RerankAliasRequest', additionalProperties: false },
);
export type RerankAliasRequest = Static<typeof RerankAliasRequest>;

const Meta = Type.Object({ billed_units: Type.Object({ search_units: Type.Integer() }) });
const Usage = Type.Object({ prompt_tokens: Type.Integer(), total_tokens: Type.Integer() });

const Answer = { id: Type.String(), model: Type.String(), usage: Usage, meta: Meta };
const Scored = { index: Type.Integer(), relevance_score: Type.Number({ minimum: 0, maximum: 1 }) };

export const RerankResult = Type.Object(
  {
    ...Answer,
    results: Type.Array(Type.Object({ ...Scored, document: Type.Optional(Type.String()) })),
  },
  { $id: 'RerankResult' },
);
export type RerankResult = Static<typeof RerankResult>;

/** As in Cohere's and Jina's APIs: a document is an object. */
export const RerankDocumentsResult = Type.Object(
  {
    ...Answer,
    results: Type.Array(
      Type.Object({ ...Scored, document: Type.Optional(Type.Record(Type.String(), Type.Unknown())) }),
    ),
  },
  { $id: 'RerankDocumentsResult' },
);
export type RerankDocumentsResult = Static<typeof RerankDocumentsResult>;

export const RerankScores = Type.Array(
  Type.Object({ index: Type.Integer(), score: Type.Number(), text: Type.Optional(Type.String()) }),
  { $id: 'RerankScores' },
);
export type RerankScores = Static<typeof RerankScores>;

export const RerankProgress = Type.Object({
  progress: Type.Object({ scored: Type.Integer(), total: Type.Integer() }),
});
export type RerankProgress = Static<typeof RerankProgress>;

/** Sent whenever another hundredth of the documents has its score, and finally the result. */
export const RerankEvent = Type.Union([RerankProgress, RerankResult], {
  $id: 'RerankEvent',
});
export type RerankEvent = Static<typeof RerankEvent>;

const rerank = {
  method: 'POST',
  summary: 'Rank documents by how well they answer a query; a long document is ranked by its best part',
  tag: 'Rerank',
  access: 'chat',
  policy: rerankPolicy,
} as const;

export const createRerank = endpoint({
  ...rerank,
  path: '/v1/rerank',
  body: RerankRequest,
  response: RerankResult,
  event: RerankEvent,
});

const alias = {
  ...rerank,
  body: RerankAliasRequest,
  response: Type.Union([RerankDocumentsResult, RerankScores]),
  event: Type.Union([RerankProgress, RerankDocumentsResult, RerankScores]),
} as const;

/** The same under the paths of Cohere, Jina, llama.cpp and text-embeddings-inference. */
export const rerankAliases = [
  endpoint({ ...alias, path: '/v2/rerank' }),
  endpoint({ ...alias, path: '/rerank' }),
  endpoint({ ...alias, path: '/reranking' }),
  endpoint({ ...alias, path: '/v1/reranking' }),
];

import { Type, type Static } from '../schema.ts';
import { endpoint } from '../endpoint.ts';
import { vectorStorePolicy, vectorSearchPolicy } from '../parameters/vector-stores.ts';
import { listOf, listQuery } from './files.ts';

const FILES_AT_ONCE_MAX = 500;
const PAIRS_MAX = 16;
const EXPIRY_DAYS_MAX = 365;

const Metadata = Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 512 }), {
  maxProperties: PAIRS_MAX,
});

export const Attributes = Type.Record(
  Type.String(),
  Type.Union([Type.String({ maxLength: 512 }), Type.Number(), Type.Boolean()]),
  { maxProperties: PAIRS_MAX, propertyNames: { maxLength: 64 } },
);

const Expiry = Type.Object(
  {
    anchor: Type.Literal('last_active_at'),
    days: Type.Integer({ minimum: 1, maximum: EXPIRY_DAYS_MAX }),
  },
  { additionalProperties: false },
);

/** About four characters make a token. */
export const ChunkingStrategy = Type.Object(
  {
    type: Type.Enum(['auto', 'static']),
    static: Type.Optional(
      Type.Object(
        {
          max_chunk_size_tokens: Type.Integer({ minimum: 100, maximum: 4096 }),
          chunk_overlap_tokens: Type.Integer({ minimum: 0, maximum: 2048 }),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);
export type ChunkingStrategy = Static<typeof ChunkingStrategy>;

export const FileIds = Type.Array(Type.String({ minLength: 1 }), { maxItems: FILES_AT_ONCE_MAX });

const Counts = Type.Object({
  in_progress: Type.Integer(),
  completed: Type.Integer(),
  failed: Type.Integer(),
  cancelled: Type.Integer(),
  total: Type.Integer(),
});
export const FileCounts = Counts;

export const VectorStore = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('vector_store'),
    created_at: Type.Integer(),
    name: Type.String(),
    usage_bytes: Type.Integer(),
    file_counts: Counts,
    status: Type.Enum(['in_progress', 'completed']),
    expires_after: Type.Optional(Expiry),
    expires_at: Type.Union([Type.Integer(), Type.Null()]),
    last_active_at: Type.Integer(),
    metadata: Metadata,
  },
  { $id: 'VectorStore' },
);
export type VectorStore = Static<typeof VectorStore>;

export const VectorStoreRequest = Type.Object(
  {
    name: Type.Optional(Type.String({ maxLength: 256 })),
    file_ids: Type.Optional(FileIds),
    chunking_strategy: Type.Optional(ChunkingStrategy),
    expires_after: Type.Optional(Expiry),
    metadata: Type.Optional(Metadata),
  },
  { $id: 'VectorStoreRequest', additionalProperties: false },
);

const NullableExpiry = Type.Union([Expiry, Type.Null()]);

export const VectorStoreUpdate = Type.Object(
  {
    name: Type.Optional(Type.Union([Type.String({ maxLength: 256 }), Type.Null()])),
    expires_after: Type.Optional(NullableExpiry),
    metadata: Type.Optional(Type.Union([Metadata, Type.Null()])),
  },
  { $id: 'VectorStoreUpdate', additionalProperties: false },
);
export type VectorStoreUpdate = Static<typeof VectorStoreUpdate>;

/** Checked separately, so that an error names the part of the filter that is wrong. */
export const AttributeFilter = Type.Record(Type.String(), Type.Unknown(), {
  description: 'A comparison of an attribute ({type, key, value}), or several: {type: "and", filters: […]}.',
});

export const RankingOptions = Type.Object(
  {
    score_threshold: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    hybrid_search: Type.Optional(
      Type.Object(
        { embedding_weight: Type.Number({ minimum: 0 }), text_weight: Type.Number({ minimum: 0 }) },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);
export type RankingOptions = Static<typeof RankingOptions>;

export const VectorSearchRequest = Type.Object(
  {
    query: Type.Union([
      Type.String({ minLength: 1, maxLength: 4096 }),
      Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), { minItems: 1, maxItems: 8 }),
    ]),
    filters: Type.Optional(AttributeFilter),
    max_num_results: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 10 })),
    ranking_options: Type.Optional(RankingOptions),
  },
  { $id: 'VectorSearchRequest', additionalProperties: false },
);

export const VectorSearchResults = Type.Object(
  {
    object: Type.Literal('vector_store.search_results.page'),
    search_query: Type.Array(Type.String()),
    data: Type.Array(
      Type.Object({
        file_id: Type.String(),
        filename: Type.String(),
        score: Type.Number(),
        attributes: Attributes,
        content: Type.Array(Type.Object({ type: Type.Literal('text'), text: Type.String() })),
      }),
    ),
    has_more: Type.Literal(false),
    next_page: Type.Null(),
  },
  { $id: 'VectorSearchResults' },
);

const tag = 'Vector stores';

export const createVectorStore = endpoint({
  method: 'POST',
  path: '/v1/vector_stores',
  summary: 'Create a vector store: uploaded files that can be searched',
  tag,
  access: 'chat',
  body: VectorStoreRequest,
  policy: vectorStorePolicy,
  response: VectorStore,
});

export const listVectorStores = endpoint({
  method: 'GET',
  path: '/v1/vector_stores',
  summary: 'List vector stores',
  tag,
  access: 'chat',
  query: Type.Object(listQuery(100), { additionalProperties: false }),
  response: listOf(VectorStore, 'VectorStoreList'),
});

export const getVectorStore = endpoint({
  method: 'GET',
  path: '/v1/vector_stores/{id}',
  summary: 'Get a vector store',
  tag,
  access: 'chat',
  response: VectorStore,
});

export const updateVectorStore = endpoint({
  method: 'POST',
  path: '/v1/vector_stores/{id}',
  summary: 'Change the name, metadata or expiry of a vector store',
  tag,
  access: 'chat',
  body: VectorStoreUpdate,
  clearable: ['name', 'expires_after', 'metadata'],
  response: VectorStore,
});

export const deleteVectorStore = endpoint({
  method: 'DELETE',
  path: '/v1/vector_stores/{id}',
  summary: 'Delete a vector store with its passages; its files stay',
  tag,
  access: 'chat',
  response: Type.Object(
    { id: Type.String(), object: Type.Literal('vector_store.deleted'), deleted: Type.Literal(true) },
    { $id: 'VectorStoreDeleted' },
  ),
});

export const searchVectorStore = endpoint({
  method: 'POST',
  path: '/v1/vector_stores/{id}/search',
  summary: 'Search a vector store, or a collection of the owner by its name',
  tag,
  access: 'chat',
  body: VectorSearchRequest,
  policy: vectorSearchPolicy,
  response: VectorSearchResults,
});

import { Type, type Static } from '../schema.ts';
import { endpoint } from '../endpoint.ts';
import { listOf, listQuery } from './files.ts';
import { Attributes, ChunkingStrategy, FileCounts, FileIds } from './vector-stores.ts';

const Status = Type.Enum(['in_progress', 'completed', 'cancelled', 'failed']);

export const VectorStoreFile = Type.Object(
  {
    id: Type.String({ description: 'The id of the uploaded file.' }),
    object: Type.Literal('vector_store.file'),
    created_at: Type.Integer(),
    vector_store_id: Type.String(),
    status: Status,
    usage_bytes: Type.Integer(),
    last_error: Type.Union([
      Type.Object({
        code: Type.Enum(['server_error', 'unsupported_file', 'invalid_file']),
        message: Type.String(),
      }),
      Type.Null(),
    ]),
    attributes: Attributes,
    chunking_strategy: Type.Object({
      type: Type.Enum(['static', 'other']),
      static: Type.Optional(
        Type.Object({ max_chunk_size_tokens: Type.Integer(), chunk_overlap_tokens: Type.Integer() }),
      ),
    }),
  },
  { $id: 'VectorStoreFile' },
);
export type VectorStoreFile = Static<typeof VectorStoreFile>;

export const VectorStoreBatch = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('vector_store.files_batch'),
    created_at: Type.Integer(),
    vector_store_id: Type.String(),
    status: Type.Enum(['in_progress', 'completed', 'cancelled']),
    file_counts: FileCounts,
  },
  { $id: 'VectorStoreBatch' },
);
export type VectorStoreBatch = Static<typeof VectorStoreBatch>;

const options = {
  attributes: Type.Optional(Attributes),
  chunking_strategy: Type.Optional(ChunkingStrategy),
};

const OneFile = Type.Object(
  { file_id: Type.String({ minLength: 1 }), ...options },
  { additionalProperties: false },
);

export const VectorStoreFileRequest = Type.Object(
  { file_id: Type.String({ minLength: 1 }), ...options },
  { $id: 'VectorStoreFileRequest', additionalProperties: false },
);
export type VectorStoreFileRequest = Static<typeof VectorStoreFileRequest>;

export const VectorStoreBatchRequest = Type.Object(
  {
    file_ids: Type.Optional(FileIds),
    files: Type.Optional(Type.Array(OneFile, { maxItems: 500 })),
    ...options,
  },
  { $id: 'VectorStoreBatchRequest', additionalProperties: false },
);
export type VectorStoreBatchRequest = Static<typeof VectorStoreBatchRequest>;

const filesQuery = Type.Object(
  { ...listQuery(100), filter: Type.Optional(Status) },
  { additionalProperties: false },
);

const tag = 'Vector stores';
const files = '/v1/vector_stores/{id}/files';
const batches = '/v1/vector_stores/{id}/file_batches';

export const addVectorStoreFile = endpoint({
  method: 'POST',
  path: files,
  summary: 'Add an uploaded file to a vector store; it is indexed in the background',
  tag,
  access: 'chat',
  body: VectorStoreFileRequest,
  response: VectorStoreFile,
});

export const listVectorStoreFiles = endpoint({
  method: 'GET',
  path: files,
  summary: 'List the files of a vector store',
  tag,
  access: 'chat',
  query: filesQuery,
  response: listOf(VectorStoreFile, 'VectorStoreFileList'),
});

export const getVectorStoreFile = endpoint({
  method: 'GET',
  path: `${files}/{file_id}`,
  summary: 'Get a file of a vector store: whether it is indexed, or why not',
  tag,
  access: 'chat',
  response: VectorStoreFile,
});

export const updateVectorStoreFile = endpoint({
  method: 'POST',
  path: `${files}/{file_id}`,
  summary: 'Change the attributes by which a file is filtered',
  tag,
  access: 'chat',
  body: Type.Object({ attributes: Type.Union([Attributes, Type.Null()]) }, { additionalProperties: false }),
  clearable: ['attributes'],
  response: VectorStoreFile,
});

export const removeVectorStoreFile = endpoint({
  method: 'DELETE',
  path: `${files}/{file_id}`,
  summary: 'Remove a file and its passages from a vector store; the uploaded file stays',
  tag,
  access: 'chat',
  response: Type.Object(
    { id: Type.String(), object: Type.Literal('vector_store.file.deleted'), deleted: Type.Literal(true) },
    { $id: 'VectorStoreFileDeleted' },
  ),
});

export const getVectorStoreFileContent = endpoint({
  method: 'GET',
  path: `${files}/{file_id}/content`,
  summary: 'Get the passages that were made from a file',
  tag,
  access: 'chat',
  response: Type.Object(
    {
      object: Type.Literal('vector_store.file_content.page'),
      data: Type.Array(Type.Object({ type: Type.Literal('text'), text: Type.String() })),
      has_more: Type.Literal(false),
      next_page: Type.Null(),
    },
    { $id: 'VectorStoreFileContent' },
  ),
});

export const createVectorStoreBatch = endpoint({
  method: 'POST',
  path: batches,
  summary: 'Add several files to a vector store',
  tag,
  access: 'chat',
  body: VectorStoreBatchRequest,
  response: VectorStoreBatch,
});

export const getVectorStoreBatch = endpoint({
  method: 'GET',
  path: `${batches}/{batch_id}`,
  summary: 'Get the progress of such a batch',
  tag,
  access: 'chat',
  response: VectorStoreBatch,
});

export const cancelVectorStoreBatch = endpoint({
  method: 'POST',
  path: `${batches}/{batch_id}/cancel`,
  summary: 'Cancel the files of a batch that are still waiting',
  tag,
  access: 'chat',
  response: VectorStoreBatch,
});

export const listVectorStoreBatchFiles = endpoint({
  method: 'GET',
  path: `${batches}/{batch_id}/files`,
  summary: 'List the files of a batch',
  tag,
  access: 'chat',
  query: filesQuery,
  response: listOf(VectorStoreFile, 'VectorStoreBatchFileList'),
});

import { Type, type Static } from '../schema.ts';
import { endpoint } from '../endpoint.ts';

export const Collection = Type.Object(
  {
    name: Type.String(),
    documents: Type.Integer(),
    passages: Type.Integer(),
    bytes: Type.Integer(),
    embedder: Type.Union([Type.String(), Type.Null()], {
      description: 'The embedding model of its passages; null when only keywords are searched.',
    }),
    updated_at: Type.String(),
  },
  { $id: 'Collection' },
);
export type Collection = Static<typeof Collection>;

export const DocsRequest = Type.Object(
  {
    path: Type.String({
      minLength: 1,
      description: 'A file or folder of the machine that the daemon runs on.',
    }),
    collection: Type.String({ minLength: 1, maxLength: 64 }),
  },
  { $id: 'DocsRequest', additionalProperties: false },
);
export type DocsRequest = Static<typeof DocsRequest>;

export const DOCS_UPLOAD_FILES_MAX = 100;

export const DocsUpload = Type.Object(
  {
    collection: Type.String({ minLength: 1, maxLength: 64 }),
    files: Type.Array(
      Type.Object(
        {
          name: Type.String({
            minLength: 1,
            maxLength: 1024,
            description: 'A file name, or a path below the folder of the upload, with slashes.',
          }),
          content: Type.String({ description: 'Its bytes as base64.' }),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: DOCS_UPLOAD_FILES_MAX },
    ),
  },
  { $id: 'DocsUpload', additionalProperties: false },
);
export type DocsUpload = Static<typeof DocsUpload>;

const File = Type.Object({
  type: Type.Literal('file'),
  path: Type.String(),
  status: Type.Enum(['added', 'changed', 'unchanged', 'removed', 'failed']),
  passages: Type.Optional(Type.Integer()),
  reason: Type.Optional(Type.String()),
});

export const DocsEvent = Type.Union(
  [
    Type.Object({ type: Type.Literal('found'), files: Type.Integer() }),
    File,
    Type.Object({ type: Type.Literal('done'), collection: Collection }),
  ],
  { $id: 'DocsEvent' },
);
export type DocsEvent = Static<typeof DocsEvent>;

export const DocsSearchRequest = Type.Object(
  {
    query: Type.String({ minLength: 1, maxLength: 2000 }),
    collections: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { maxItems: 20 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 8 })),
  },
  { $id: 'DocsSearchRequest', additionalProperties: false },
);
export type DocsSearchRequest = Static<typeof DocsSearchRequest>;

export const DocsHits = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        path: Type.String(),
        title: Type.String(),
        heading: Type.String(),
        page: Type.Union([Type.Integer(), Type.Null()]),
        text: Type.String(),
      }),
    ),
  },
  { $id: 'DocsHits' },
);
export type DocsHits = Static<typeof DocsHits>;

const tag = 'Documents';

export const addDocs = endpoint({
  method: 'POST',
  path: '/api/daemon/docs',
  summary: 'Index a file or folder of this machine; an event for each file, and "done" at the end',
  tag,
  access: 'control',
  body: DocsRequest,
  response: Collection,
  event: DocsEvent,
});

export const uploadDocs = endpoint({
  method: 'POST',
  path: '/api/daemon/docs/files',
  summary: 'Keep copies of files and index them; the same events as for a folder',
  tag,
  access: 'control',
  body: DocsUpload,
  response: Collection,
  event: DocsEvent,
});

export const listDocs = endpoint({
  method: 'GET',
  path: '/api/daemon/docs',
  summary: 'List the collections of local documents',
  tag,
  access: 'control',
  response: Type.Object({ data: Type.Array(Collection) }, { $id: 'Collections' }),
});

export const removeDocs = endpoint({
  method: 'DELETE',
  path: '/api/daemon/docs/{name}',
  summary: 'Remove a collection; files of the machine stay, copies of uploaded ones are deleted',
  tag,
  access: 'control',
  response: Type.Object({ name: Type.String(), deleted: Type.Literal(true) }, { $id: 'CollectionDeleted' }),
});

export const searchDocs = endpoint({
  method: 'POST',
  path: '/api/daemon/docs/search',
  summary: 'Search the local documents by keywords and, where there are vectors, by meaning',
  tag,
  access: 'control',
  body: DocsSearchRequest,
  response: DocsHits,
});

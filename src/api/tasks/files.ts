import { Type, type Static } from '../schema.ts';
import { endpoint } from '../endpoint.ts';

export const FILE_PURPOSES = ['assistants', 'batch', 'user_data', 'vision'] as const;

const FILE_TTL_SECONDS_MIN = 3600;
const FILE_TTL_SECONDS_MAX = 30 * 86_400;

/** A form has only flat fields, so nested names are written into the field names. */
export const FileUpload = Type.Object(
  {
    file: Type.Object(
      { path: Type.String(), name: Type.String(), bytes: Type.Integer() },
      { description: 'Any file, up to audio_bytes_max.' },
    ),
    purpose: Type.Enum(FILE_PURPOSES),
    'expires_after[anchor]': Type.Optional(Type.Literal('created_at')),
    'expires_after[seconds]': Type.Optional(
      Type.Integer({ minimum: FILE_TTL_SECONDS_MIN, maximum: FILE_TTL_SECONDS_MAX }),
    ),
  },
  { $id: 'FileUpload', additionalProperties: false },
);
export type FileUpload = Static<typeof FileUpload>;

export const FileObject = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('file'),
    bytes: Type.Integer(),
    created_at: Type.Integer(),
    expires_at: Type.Optional(Type.Integer()),
    filename: Type.String(),
    purpose: Type.String(),
    status: Type.Literal('processed'),
  },
  { $id: 'FileObject' },
);
export type FileObject = Static<typeof FileObject>;

const Nullable = (schema: ReturnType<typeof Type.String>) => Type.Union([schema, Type.Null()]);

export const listOf = <S extends Parameters<typeof Type.Array>[0]>(item: S, $id: string) =>
  Type.Object(
    {
      object: Type.Literal('list'),
      data: Type.Array(item),
      first_id: Nullable(Type.String()),
      last_id: Nullable(Type.String()),
      has_more: Type.Boolean(),
    },
    { $id },
  );

export const listQuery = (limitMax: number) => ({
  after: Type.Optional(Type.String()),
  before: Type.Optional(Type.String()),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limitMax, default: 20 })),
  order: Type.Optional(Type.Enum(['asc', 'desc'], { default: 'desc' })),
});

const tag = 'Files';

export const uploadFile = endpoint({
  method: 'POST',
  path: '/v1/files',
  summary: 'Upload a file, to search it in a vector store or to refer to it',
  tag,
  access: 'chat',
  isForm: true,
  body: FileUpload,
  response: FileObject,
});

export const listFiles = endpoint({
  method: 'GET',
  path: '/v1/files',
  summary: 'List uploaded files',
  tag,
  access: 'chat',
  query: Type.Object(
    { ...listQuery(10_000), purpose: Type.Optional(Type.String()) },
    { additionalProperties: false },
  ),
  response: listOf(FileObject, 'FileList'),
});

export const getFile = endpoint({
  method: 'GET',
  path: '/v1/files/{file_id}',
  summary: 'Get an uploaded file',
  tag,
  access: 'chat',
  response: FileObject,
});

export const deleteFile = endpoint({
  method: 'DELETE',
  path: '/v1/files/{file_id}',
  summary: 'Delete an uploaded file, and its passages in all vector stores',
  tag,
  access: 'chat',
  response: Type.Object(
    { id: Type.String(), object: Type.Literal('file'), deleted: Type.Literal(true) },
    { $id: 'FileDeleted' },
  ),
});

export const getFileContent = endpoint({
  method: 'GET',
  path: '/v1/files/{file_id}/content',
  summary: 'Get the content of an uploaded file',
  tag,
  access: 'chat',
  response: Type.String(),
  produces: ['application/octet-stream'],
});

import { Type, type Static } from '../schema.ts';
import { endpoint } from '../endpoint.ts';

export const ExportRequest = Type.Object(
  {
    path: Type.String({ minLength: 1, description: 'Absolute path of the archive, which must not exist.' }),
    models: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      description: 'Service models, which take their binding along, or artifacts.',
    }),
    split_bytes: Type.Optional(
      Type.Integer({
        minimum: 1_048_576,
        description: 'Writes parts of this size: PATH.001, PATH.002 and so on.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type ExportRequest = Static<typeof ExportRequest>;

export const ArchiveProgress = Type.Object(
  {
    state: Type.Enum(['hashing', 'writing', 'verifying', 'done']),
    bytes: Type.Integer(),
    bytes_total: Type.Integer(),
    models: Type.Array(Type.String(), { description: 'Once it is done: the models in the archive.' }),
    services: Type.Array(Type.String(), { description: 'Once it is done: the services that they serve.' }),
    files: Type.Array(Type.String(), { description: 'Once an export is done: the files of the archive.' }),
    left: Type.Array(Type.String(), {
      description: 'Services of starter models, which every askd brings along.',
    }),
  },
  { $id: 'ArchiveProgress' },
);
export type ArchiveProgress = Static<typeof ArchiveProgress>;

export const exportArchive = endpoint({
  method: 'POST',
  path: '/api/daemon/export',
  summary:
    'Write models and what they serve into an archive; disconnecting stops it, and the same call goes on',
  tag: 'Library',
  access: 'control',
  body: ExportRequest,
  response: ArchiveProgress,
  event: ArchiveProgress,
});

export const importArchive = endpoint({
  method: 'POST',
  path: '/api/daemon/import-archive',
  summary: 'Verify an archive and install its models; disconnecting stops it, and the same call goes on',
  tag: 'Library',
  access: 'control',
  body: Type.Object(
    {
      path: Type.String({ minLength: 1, description: 'Absolute path of the archive or of its first part.' }),
    },
    { additionalProperties: false },
  ),
  response: ArchiveProgress,
  event: ArchiveProgress,
});

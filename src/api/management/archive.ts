import { Type, type Static } from '../schema.ts';
import { endpoint } from '../endpoint.ts';

export const ExportRequest = Type.Object(
  {
    path: Type.String({ minLength: 1, description: 'Absolute path of the archive, which must not exist.' }),
    models: Type.Array(Type.String({ minLength: 1 }), {
      description: 'Service models, which include their binding, or artifacts. May be empty with `install`.',
    }),
    split_bytes: Type.Optional(
      Type.Integer({
        minimum: 1_048_576,
        description: 'Writes parts of this size: PATH.001, PATH.002 and so on.',
      }),
    ),
    install: Type.Optional(
      Type.Boolean({
        description:
          'Adds this askd, its engines and an installer for machines of this kind without a network.',
      }),
    ),
    gpu: Type.Optional(
      Type.Boolean({
        description: 'With `install`, whether engine builds for graphics cards are included. Default: true.',
      }),
    ),
    settings: Type.Optional(
      Type.Boolean({
        description: 'Whether the settings that answers depend on are included. Default: true.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type ExportRequest = Static<typeof ExportRequest>;

export const CarriedSetting = Type.Object({
  name: Type.String(),
  value: Type.Optional(Type.Unknown({ description: 'Absent if it is refused.' })),
  outcome: Type.Enum(['exported', 'taken', 'same', 'kept', 'refused'], {
    description: '`kept`: it already has another value here, which an archive never replaces.',
  }),
  reason: Type.Optional(Type.String({ description: 'Why it is kept or refused.' })),
  fix: Type.Optional(Type.String({ description: 'The command that applies it anyway.' })),
});
export type CarriedSetting = Static<typeof CarriedSetting>;

export const ArchiveProgress = Type.Object(
  {
    state: Type.Enum(['packing', 'hashing', 'writing', 'verifying', 'done']),
    bytes: Type.Integer(),
    bytes_total: Type.Integer(),
    models: Type.Array(Type.String(), { description: 'Once it is done: the models in the archive.' }),
    services: Type.Array(Type.String(), { description: 'Once it is done: the services that they serve.' }),
    files: Type.Array(Type.String(), { description: 'Once an export is done: the files of the archive.' }),
    left: Type.Array(Type.String(), {
      description: 'Services of starter models, which ship with every askd.',
    }),
    settings: Type.Array(CarriedSetting, {
      description: 'For an import: what will happen to each setting, and once it is done, what happened.',
    }),
    install: Type.Optional(
      Type.Object(
        {
          version: Type.String(),
          platform: Type.String({ description: 'Such as linux-x64.' }),
          bytes: Type.Integer({ description: 'In the archive.' }),
          engines: Type.Array(Type.String(), { description: 'Optional engines in it.' }),
        },
        { description: 'Once an export is done: the askd that it installs.' },
      ),
    ),
  },
  { $id: 'ArchiveProgress' },
);
export type ArchiveProgress = Static<typeof ArchiveProgress>;

export const exportArchive = endpoint({
  method: 'POST',
  path: '/api/daemon/export',
  summary:
    'Write models and what they serve into an archive; disconnecting stops it, and the same call resumes it',
  tag: 'Library',
  access: 'control',
  body: ExportRequest,
  response: ArchiveProgress,
  event: ArchiveProgress,
});

export const importArchive = endpoint({
  method: 'POST',
  path: '/api/daemon/import-archive',
  summary: 'Verify an archive and install its models; disconnecting stops it, and the same call resumes it',
  tag: 'Library',
  access: 'control',
  body: Type.Object(
    {
      path: Type.String({ minLength: 1, description: 'Absolute path of the archive or of its first part.' }),
      settings: Type.Optional(
        Type.Boolean({
          description:
            'Whether its settings are applied where this machine has none of its own. Default: true.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  response: ArchiveProgress,
  event: ArchiveProgress,
});

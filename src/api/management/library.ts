import { Type, type Static } from '../schema.ts';
import { Artifact } from './daemon.ts';
import { endpoint } from '../endpoint.ts';

const Nullable = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) =>
  Type.Union([schema, Type.Null()]);

export const PullRequest = Type.Object(
  {
    model: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'A service model, an artifact of the catalogue, or hf:org/repo[@revision][:quant|/file].',
    }),
    tier: Type.Optional(Type.Enum(['small', 'standard', 'large'])),
    accept_licence: Type.Optional(Type.Boolean()),
    offline: Type.Optional(Type.Boolean({ description: 'Use only what is already on this machine.' })),
    dry_run: Type.Optional(
      Type.Boolean({ description: 'Report what would be downloaded, and download nothing.' }),
    ),
  },
  { additionalProperties: false },
);
export type PullRequest = Static<typeof PullRequest>;

export const Pull = Type.Object(
  {
    id: Type.String(),
    model: Type.String(),
    artifact: Type.String(),
    name: Type.String(),
    licence: Type.String(),
    service: Nullable(
      Type.String({ description: 'The service to bind to the artifact once it is downloaded.' }),
    ),
    reason: Nullable(Type.String({ description: 'Why this artifact was chosen for the service.' })),
    state: Type.Enum(['queued', 'downloading', 'paused', 'done', 'failed', 'cancelled']),
    bytes_total: Type.Integer(),
    bytes_received: Type.Integer(),
    bytes_verified: Type.Integer(),
    bytes_per_second: Nullable(Type.Number()),
    eta_seconds: Nullable(Type.Number()),
    waiting: Nullable(Type.Object({ until: Type.String(), reason: Type.String() })),
    files: Type.Array(
      Type.Object({
        repo: Type.String(),
        path: Type.String(),
        bytes: Type.Integer(),
        received: Type.Integer(),
        verified: Type.Integer(),
      }),
    ),
    error: Nullable(Type.Object({ code: Type.String(), message: Type.String() })),
    created_at: Type.String(),
  },
  { $id: 'Pull' },
);
export type Pull = Static<typeof Pull>;

/** What the header of the weights or the configuration says about a model before it is downloaded. */
export const PullPreview = Type.Object(
  {
    artifact: Type.String(),
    licence: Type.String(),
    format: Type.Enum(['gguf', 'onnx', 'safetensors', 'other']),
    files: Type.Integer({ description: 'The number of weights files.' }),
    bytes: Type.Integer(),
    header: Nullable(
      Type.Object({
        architecture: Type.String({ description: 'Empty if not stated.' }),
        quantization: Type.String({ description: 'Empty if not stated.' }),
        parameters: Nullable(Type.String({ description: 'As authors write them, such as 4B.' })),
        context_tokens_max: Type.Integer({ description: '0 if not stated.' }),
        tasks: Type.Array(Type.String()),
        template: Type.String({
          description:
            'The family of its chat template; `own` for another, `general` without one, empty without chat.',
        }),
        memory_bytes: Nullable(
          Type.Integer({ description: 'For the weights and a context of memory_context_tokens.' }),
        ),
        memory_context_tokens: Type.Integer(),
        fits: Nullable(
          Type.Boolean({
            description: 'Whether a pull would choose a model of this size on this machine.',
          }),
        ),
      }),
    ),
    note: Nullable(
      Type.String({
        description: 'Why there is no header, or that the server does not support range requests.',
      }),
    ),
    obstacle: Nullable(
      Type.String({ description: 'Why askd cannot run it, so that pulling it is refused.' }),
    ),
  },
  { $id: 'PullPreview' },
);
export type PullPreview = Static<typeof PullPreview>;

/** Either the installed artifact, or the download that fetches it; neither after a dry run. */
export const PullAnswer = Type.Object({
  artifact: Nullable(Artifact),
  pull: Nullable(Pull),
  service: Nullable(Type.String()),
  reason: Nullable(Type.String()),
  preview: Type.Optional(PullPreview),
});
export type PullAnswer = Static<typeof PullAnswer>;

export const Removal = Type.Object({
  id: Type.String(),
  freed_bytes: Type.Integer(),
  kept: Type.Array(
    Type.String({ description: 'Files that stay: askd did not download them, or something else uses them.' }),
  ),
});
export type Removal = Static<typeof Removal>;

export const Finding = Type.Object(
  {
    check: Type.String(),
    level: Type.Enum(['ok', 'warning', 'problem']),
    message: Type.String(),
    fix: Type.Optional(Type.String()),
  },
  { $id: 'Finding' },
);
export type Finding = Static<typeof Finding>;

const pulls = '/api/daemon/pulls';

export const startPull = endpoint({
  method: 'POST',
  path: pulls,
  summary: 'Download a model and verify it, or join the download in progress',
  tag: 'Library',
  access: 'control',
  body: PullRequest,
  response: PullAnswer,
});

export const listPulls = endpoint({
  method: 'GET',
  path: pulls,
  summary: 'List the downloads, newest first',
  tag: 'Library',
  access: 'control',
  response: Type.Object({ pulls: Type.Array(Pull) }),
});

export const getPull = endpoint({
  method: 'GET',
  path: `${pulls}/{id}`,
  summary: 'Get the progress of a download',
  tag: 'Library',
  access: 'control',
  response: Pull,
});

export const watchPull = endpoint({
  method: 'GET',
  path: `${pulls}/{id}/events`,
  summary: 'Watch a download until it ends or is paused; disconnecting does not stop it',
  tag: 'Library',
  access: 'control',
  response: Pull,
  event: Pull,
});

export const pausePull = endpoint({
  method: 'POST',
  path: `${pulls}/{id}/pause`,
  summary: 'Pause a download and keep what was received; it stays paused after a restart of the daemon',
  tag: 'Library',
  access: 'control',
  response: Pull,
});

export const resumePull = endpoint({
  method: 'POST',
  path: `${pulls}/{id}/resume`,
  summary: 'Resume a paused download where it stopped',
  tag: 'Library',
  access: 'control',
  response: Pull,
});

export const cancelPull = endpoint({
  method: 'DELETE',
  path: `${pulls}/{id}`,
  summary: 'Cancel a download and delete its files',
  tag: 'Library',
  access: 'control',
  response: Pull,
});

export const removeArtifact = endpoint({
  method: 'POST',
  path: '/api/daemon/remove',
  summary: 'Remove an artifact or an alias, and delete the files that nothing else uses',
  tag: 'Library',
  access: 'control',
  body: Type.Object(
    { model: Type.String({ minLength: 1 }), force: Type.Optional(Type.Boolean()) },
    { additionalProperties: false },
  ),
  response: Removal,
});

export const addAlias = endpoint({
  method: 'POST',
  path: '/api/daemon/aliases',
  summary: 'Give an artifact a second name',
  tag: 'Library',
  access: 'control',
  isAtomic: true,
  body: Type.Object(
    {
      alias: Type.String({ pattern: '^[A-Za-z0-9]+([._/:-][A-Za-z0-9]+)*$', maxLength: 100 }),
      model: Type.String({ minLength: 1 }),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({ alias: Type.String(), artifact: Type.String() }),
});

export const searchHub = endpoint({
  method: 'POST',
  path: '/api/daemon/search',
  summary: 'Search models on the hub',
  tag: 'Library',
  access: 'control',
  body: Type.Object({ text: Type.String({ minLength: 1, maxLength: 200 }) }, { additionalProperties: false }),
  response: Type.Object({
    models: Type.Array(
      Type.Object({
        repo: Type.String(),
        downloads: Type.Integer(),
        likes: Type.Integer(),
        licence: Nullable(Type.String()),
      }),
    ),
  }),
});

export const diagnose = endpoint({
  method: 'POST',
  path: '/api/daemon/examine',
  summary: 'Run the diagnostics of the daemon: engines, devices, files and their hashes',
  tag: 'Library',
  access: 'control',
  body: Type.Object({ hashes: Type.Optional(Type.Boolean()) }, { additionalProperties: false }),
  response: Type.Object({ findings: Type.Array(Finding) }),
});

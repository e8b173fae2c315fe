import { ModelCheck } from './check.ts';
import { Type, type Static } from '../schema.ts';
import { endpoint } from '../endpoint.ts';
import { LoadedModel } from './memory.ts';
import { Balance } from '../account/wallet.ts';

export const Notice = Type.Object({
  id: Type.String(),
  kind: Type.String(),
  message: Type.String(),
  created_at: Type.String({ format: 'date-time' }),
});

export const WebhooksStatus = Type.Object({
  state: Type.Enum(['delivering', 'offline', 'off'], {
    description: 'Offline: this machine has no network. Off: the guard failed its self-test; see the log.',
  }),
  enabled: Type.Integer(),
  pending: Type.Integer({ description: 'Pending deliveries.' }),
  disabled: Type.Array(
    Type.Object({ id: Type.String(), name: Type.String(), reason: Type.Enum(['gone', 'failing']) }),
  ),
});
export type WebhooksStatus = Static<typeof WebhooksStatus>;

export const IgnoredParameter = Type.Object({
  route: Type.String(),
  parameter: Type.String(),
  requests: Type.Integer(),
});
export type IgnoredParameter = Static<typeof IgnoredParameter>;

export const Status = Type.Object(
  {
    version: Type.String(),
    pid: Type.Integer(),
    home: Type.String(),
    base_url: Type.String(),
    management_url: Type.String(),
    boot_id: Type.String(),
    started_at: Type.String(),
    uptime_seconds: Type.Number(),
    memory_bytes: Type.Integer(),
    active_keys: Type.Integer(),
    requests_in_flight: Type.Integer(),
    served: Type.Object(
      { requests: Type.Integer(), generated_tokens: Type.Integer(), spent: Type.Number() },
      { description: 'Since the daemon started: model requests, generated tokens, credits spent.' },
    ),
    ignored_parameters: Type.Array(IgnoredParameter, {
      description:
        'Request parameters without effect that clients have sent since the daemon started, most frequent first.',
    }),
    models: Type.Array(LoadedModel),
    tier: Type.String(),
    wallet: Balance,
    notices: Type.Array(Notice, { description: 'Notices for the owner, newest first.' }),
    webhooks: WebhooksStatus,
  },
  { $id: 'Status' },
);
export type Status = Static<typeof Status>;

export const Artifact = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    engine: Type.String(),
    tasks: Type.Array(Type.String()),
    tier: Type.String(),
    licence: Type.String(),
    path: Type.String(),
    bytes: Type.Integer(),
    context_tokens_max: Type.Integer(),
    bound_to: Type.Array(Type.String()),
    fallback_for: Type.Array(Type.String(), { description: 'The services that it serves during an outage.' }),
    aliases: Type.Array(Type.String()),
    is_present: Type.Boolean({ description: 'Whether its files are in place.' }),
    obstacle: Type.Optional(Type.String({ description: 'Why this askd cannot run it.' })),
    files: Type.Array(
      Type.Object({
        path: Type.String(),
        bytes: Type.Integer(),
        hash: Type.String(),
        is_fetched: Type.Boolean({
          description: 'Whether askd downloaded it; files that it did not download stay when it is removed.',
        }),
      }),
    ),
    voices: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'The voices of the model behind the standard voice names.',
      }),
    ),
    card: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'For a model that ships with askd: its data, training and measurements.',
      }),
    ),
    check: Type.Optional(ModelCheck),
    origin: Type.Optional(
      Type.Object(
        {
          program: Type.String(),
          name: Type.String(),
          unmet: Type.Array(Type.String(), {
            description: 'Parts of its definition there that have no effect here, and why.',
          }),
          change: Type.Optional(Type.Enum(['missing', 'changed'])),
        },
        { description: 'For an adopted model: the program whose files it uses, and what became of them.' },
      ),
    ),
    defaults: Type.Optional(
      Type.Array(Type.String(), { description: 'Defaults for requests that do not set these values.' }),
    ),
    notice: Type.Optional(Type.String()),
  },
  { $id: 'Artifact' },
);
export type Artifact = Static<typeof Artifact>;

export const ArtifactId = Type.String({ pattern: '^[A-Za-z0-9]+([._/-][A-Za-z0-9]+)*$', maxLength: 100 });

export const ImportRequest = Type.Object(
  {
    path: Type.String({
      minLength: 1,
      description:
        'Absolute path of a GGUF file, or of a folder with config.json and onnx/, on this machine.',
    }),
    projector: Type.Optional(
      Type.String({ minLength: 1, description: 'The multimodal projector (mmproj) of a vision model.' }),
    ),
    id: ArtifactId,
    mode: Type.Optional(Type.Enum(['link', 'copy'])),
    engine: Type.Optional(
      Type.Enum(['llama', 'vision', 'onnx', 'diffusion'], {
        description: 'The expected engine; the import fails if the files are for another one.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type ImportRequest = Static<typeof ImportRequest>;

export const Binding = Type.Object(
  {
    service: Type.String(),
    artifact: Type.String(),
    draft: Type.Optional(
      Type.String({
        description: 'A smaller model of the same family for speculative decoding; empty for none.',
      }),
    ),
    fallbacks: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: 8,
        description: 'Artifacts to use, in this order, while this one is unavailable. Unchanged if absent.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type Binding = Static<typeof Binding>;

export const getStatus = endpoint({
  method: 'GET',
  path: '/api/daemon/status',
  summary: 'Get the daemon, its models and its load',
  tag: 'Daemon',
  access: 'control',
  response: Status,
});

export const listArtifacts = endpoint({
  method: 'GET',
  path: '/api/daemon/artifacts',
  summary: 'List the model files on this machine and what they are bound to',
  tag: 'Daemon',
  access: 'control',
  response: Type.Object({ artifacts: Type.Array(Artifact) }),
});

export const importArtifact = endpoint({
  method: 'POST',
  path: '/api/daemon/import',
  summary: 'Import a model file from this machine, in place or as a copy',
  tag: 'Daemon',
  access: 'control',
  body: ImportRequest,
  status: 201,
  response: Artifact,
});

export const bindService = endpoint({
  method: 'POST',
  path: '/api/daemon/bind',
  summary: 'Serve a service model from an artifact',
  tag: 'Daemon',
  access: 'control',
  isAtomic: true,
  body: Binding,
  response: Binding,
});

export const shutdown = endpoint({
  method: 'POST',
  path: '/api/daemon/shutdown',
  summary: 'Stop the daemon after its streams have finished',
  tag: 'Daemon',
  access: 'control',
  status: 202,
  response: Type.Object({ stopping: Type.Literal(true) }),
});

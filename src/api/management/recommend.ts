import { endpoint } from '../endpoint.ts';
import { Type, type Static } from '../schema.ts';

const Nullable = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) =>
  Type.Union([schema, Type.Null()]);

export const ExpectedSpeed = Type.Object(
  { from: Type.Number(), to: Type.Number() },
  { description: 'Tokens per second of one request, from the measured speed of this machine.' },
);
export type ExpectedSpeed = Static<typeof ExpectedSpeed>;

export const RecommendedModel = Type.Object(
  {
    service: Type.String(),
    artifact: Type.String(),
    name: Type.String(),
    reason: Type.String({ description: 'Why it is chosen for this service on this machine.' }),
    bytes: Type.Integer({ description: 'To download, unless it is installed.' }),
    memory_bytes: Type.Integer({ description: 'Its weights and one context of up to 8,192 tokens.' }),
    licence: Type.String(),
    licence_terms: Nullable(Type.Object({ summary: Type.String(), url: Type.String() })),
    expected_tokens_per_second: Nullable(ExpectedSpeed),
    measured_tokens_per_second: Nullable(
      Type.Number({ description: 'By the last check of the installed model.' }),
    ),
    is_installed: Type.Boolean(),
    is_bound: Type.Boolean({ description: 'Whether it serves the service already.' }),
  },
  { $id: 'RecommendedModel' },
);
export type RecommendedModel = Static<typeof RecommendedModel>;

export const Recommendation = Type.Object(
  {
    machine: Type.Object({
      memory_bytes: Type.Integer(),
      for_models_bytes: Type.Integer({ description: 'How much of it one recommended model may use.' }),
      disk_free_bytes: Type.Integer({ description: 'Where downloads go.' }),
      speed: Nullable(
        Type.Object({
          tokens_per_second: Type.Number(),
          weight_bytes: Type.Integer({ description: 'Of the model that it was measured with.' }),
          device: Type.String(),
          is_calm: Type.Boolean({
            description: 'Whether other programs left the machine alone; if not, `if_needed` measures again.',
          }),
          measured_at: Type.String(),
        }),
      ),
    }),
    models: Type.Array(RecommendedModel),
    download_bytes: Type.Integer({ description: 'Of all that is not installed, each file once.' }),
    fits_on_disk: Type.Boolean(),
  },
  { $id: 'Recommendation' },
);
export type Recommendation = Static<typeof Recommendation>;

export const RecommendRequest = Type.Object(
  {
    services: Type.Optional(Type.Array(Type.String(), { description: 'All, unless some are named.' })),
    measure: Type.Optional(
      Type.Enum(['if_needed', 'again', 'never'], {
        description:
          'Whether to measure the speed of the machine first, which takes about ten seconds; `if_needed` by default.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type RecommendRequest = Static<typeof RecommendRequest>;

export const recommendModels = endpoint({
  method: 'POST',
  path: '/api/daemon/recommend',
  summary: 'Recommend a model for each service on this machine',
  tag: 'Library',
  access: 'control',
  body: RecommendRequest,
  response: Recommendation,
});

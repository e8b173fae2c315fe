import { Type, type Static } from '../schema.ts';
import { TokenCost } from './embeddings.ts';
import { endpoint } from '../endpoint.ts';
import { MODERATION_INPUTS_MAX } from '../account/limits.ts';
import { moderationPolicy } from '../parameters/moderation.ts';

const Text = Type.String({ minLength: 1 });

const Part = Type.Object(
  {
    type: Type.Enum(['text', 'image_url']),
    text: Type.Optional(Text),
    image_url: Type.Optional(Type.Unknown({ description: 'Not supported: only text is scored.' })),
  },
  { additionalProperties: false },
);
export type ModerationPart = Static<typeof Part>;

export const ModerationRequest = Type.Object(
  {
    model: Type.Optional(Type.String({ minLength: 1, default: 'svc-moderation-v1' })),
    input: Type.Union([
      Text,
      Type.Array(Text, { minItems: 1, maxItems: MODERATION_INPUTS_MAX }),
      Type.Array(Part, {
        minItems: 1,
        maxItems: MODERATION_INPUTS_MAX,
        description: 'Parts of one text, with one result.',
      }),
    ]),
  },
  { $id: 'ModerationRequest', additionalProperties: false },
);
export type ModerationRequest = Static<typeof ModerationRequest>;

export const ModerationResult = Type.Object(
  {
    id: Type.String(),
    model: Type.String(),
    results: Type.Array(
      Type.Object({
        flagged: Type.Boolean({ description: 'Whether any category is at or above its threshold.' }),
        categories: Type.Record(Type.String(), Type.Boolean(), {
          description: 'One score for each of the eleven categories.',
        }),
        category_scores: Type.Record(Type.String(), Type.Number({ minimum: 0, maximum: 1 })),
        category_applied_input_types: Type.Record(Type.String(), Type.Array(Type.Literal('text'))),
      }),
    ),
    category_thresholds: Type.Record(Type.String(), Type.Number(), {
      description: 'The score from which each category is flagged, as moderation_thresholds sets it.',
    }),
    usage: Type.Object({ prompt_tokens: Type.Integer(), total_tokens: Type.Integer() }),
    cost: TokenCost,
  },
  { $id: 'ModerationResult' },
);
export type ModerationResult = Static<typeof ModerationResult>;

const moderation = {
  method: 'POST',
  summary: 'Score texts in eleven categories of harm',
  tag: 'Moderation',
  access: 'chat',
  body: ModerationRequest,
  policy: moderationPolicy,
  response: ModerationResult,
} as const;

export const moderate = endpoint({ ...moderation, path: '/v1/moderate' });
/** The path that other services and their clients use. */
export const createModeration = endpoint({ ...moderation, path: '/v1/moderations' });

import { endpoint } from '../endpoint.ts';
import { Type, type Static } from '../schema.ts';

const Timestamp = Type.String({ format: 'date-time' });
const Count = Type.Integer({ minimum: 0 });

const SUMS = {
  requests: Count,
  failed_requests: Count,
  prompt_tokens: Count,
  cached_tokens: Type.Integer({ minimum: 0, description: 'Prompt tokens that the prefix cache provided.' }),
  completion_tokens: Count,
  characters: Count,
  seconds: Type.Number({ minimum: 0, description: 'Of audio.' }),
  images: Count,
  credits: Type.Number({ minimum: 0, description: 'What was charged. Refunds are not subtracted.' }),
};

export const UsageQuery = Type.Object(
  {
    from: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Rounded down to a whole hour. By default, 30 days before `to`.',
      }),
    ),
    to: Type.Optional(
      Type.String({ format: 'date-time', description: 'Rounded up to a whole hour. By default, now.' }),
    ),
    bucket: Type.Optional(
      Type.Enum(['hour', 'day', 'all'], {
        default: 'day',
        description: 'In UTC. At most 1,000 buckets in one report.',
      }),
    ),
    group_by: Type.Optional(Type.Enum(['model', 'key', 'task'])),
    key: Type.Optional(
      Type.String({
        description: "Only this API key, by its id; `playground` for the console's playground.",
      }),
    ),
  },
  { additionalProperties: false },
);
export type UsageQuery = Static<typeof UsageQuery>;

export const Usage = Type.Object(
  {
    from: Timestamp,
    to: Timestamp,
    bucket: Type.Enum(['hour', 'day', 'all']),
    group_by: Type.Union([Type.Enum(['model', 'key', 'task']), Type.Null()]),
    data: Type.Array(
      Type.Object({
        start: Timestamp,
        model: Type.Optional(Type.String()),
        task: Type.Optional(Type.String()),
        key: Type.Optional(
          Type.String({
            description:
              "The id of the API key; `playground` for the console's playground, `playground_` and the id of a member for theirs; empty for the command line.",
          }),
        ),
        ...SUMS,
      }),
      { description: 'Buckets and groups without a request are left out.' },
    ),
    total: Type.Object(SUMS),
  },
  { $id: 'Usage' },
);
export type Usage = Static<typeof Usage>;

export const getUsage = endpoint({
  method: 'GET',
  path: '/api/usage',
  summary: 'Get requests, tokens and credits over time, by model, API key or task',
  tag: 'Wallet',
  access: 'control',
  query: UsageQuery,
  response: Usage,
});

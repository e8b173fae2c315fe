import { Type, type Static } from '../schema.ts';
import { LocalFormats } from './response-format.ts';
import { Fingerprint, FinishReason, LogitBias, Timings, Usage } from './chat.ts';
import { ResponseFormat } from './tools.ts';
import { endpoint } from '../endpoint.ts';
import { completionsPolicy } from '../parameters/completions.ts';
import { LocalSampling, Stop } from './sampling.ts';

export const PROMPTS_MAX = 64;

const Tokens = Type.Array(Type.Integer({ minimum: 0 }), { minItems: 1 });
const Text = Type.String({ description: 'An empty prompt starts a new text.' });

export const CompletionRequest = Type.Object(
  {
    model: Type.String({ minLength: 1 }),
    prompt: Type.Union([
      Text,
      Tokens,
      Type.Array(Type.Union([Text, Tokens]), { minItems: 1, maxItems: PROMPTS_MAX }),
    ]),
    suffix: Type.Optional(
      Type.String({
        description: 'The text after the insertion: the model fills in the middle, if it was trained to.',
      }),
    ),
    max_tokens: Type.Optional(Type.Integer({ minimum: 1, default: 16 })),
    n_predict: Type.Optional(Type.Integer({ minimum: 1, description: 'Alias of max_tokens.' })),
    temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2, default: 1 })),
    top_p: Type.Optional(Type.Number({ minimum: 0, maximum: 1, default: 1 })),
    n: Type.Optional(Type.Integer({ minimum: 1, maximum: 4, default: 1 })),
    stream: Type.Optional(Type.Boolean({ default: false })),
    stream_options: Type.Optional(
      Type.Object({ include_usage: Type.Optional(Type.Boolean()) }, { additionalProperties: false }),
    ),
    logprobs: Type.Optional(Type.Integer({ minimum: 0, maximum: 5 })),
    echo: Type.Optional(Type.Boolean({ default: false })),
    stop: Stop,
    logit_bias: LogitBias,
    response_format: Type.Optional(ResponseFormat),
    ...LocalSampling,
    ...LocalFormats,
    presence_penalty: Type.Optional(Type.Number({ minimum: -2, maximum: 2, default: 0 })),
    frequency_penalty: Type.Optional(Type.Number({ minimum: -2, maximum: 2, default: 0 })),
    seed: Type.Optional(Type.Integer()),
  },
  { $id: 'CompletionRequest', additionalProperties: false },
);
export type CompletionRequest = Static<typeof CompletionRequest>;

const TextLogprobs = Type.Object({
  tokens: Type.Array(Type.String()),
  token_logprobs: Type.Array(Type.Number()),
  top_logprobs: Type.Array(Type.Record(Type.String(), Type.Number())),
  text_offset: Type.Array(Type.Integer()),
});
export type TextLogprobs = Static<typeof TextLogprobs>;

const TextChoice = Type.Object({
  text: Type.String(),
  index: Type.Integer(),
  logprobs: Type.Union([TextLogprobs, Type.Null()]),
  finish_reason: Type.Union([FinishReason, Type.Null()]),
});
export type TextChoice = Static<typeof TextChoice>;

export const TextCompletion = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('text_completion'),
    created: Type.Integer(),
    model: Type.String(),
    choices: Type.Array(TextChoice),
    usage: Type.Optional(Type.Union([Usage, Type.Null()])),
    system_fingerprint: Fingerprint,
    timings: Type.Optional(Timings),
  },
  { $id: 'TextCompletion' },
);
export type TextCompletion = Static<typeof TextCompletion>;

export const createCompletion = endpoint({
  method: 'POST',
  path: '/v1/completions',
  summary: 'Complete a text, or fill in the middle between two texts',
  tag: 'Chat',
  access: 'chat',
  body: CompletionRequest,
  policy: completionsPolicy,
  response: TextCompletion,
  event: TextCompletion,
});

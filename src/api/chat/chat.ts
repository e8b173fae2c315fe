import { Type, type Static } from '../schema.ts';
import { LocalFormats } from './response-format.ts';
import { ChatToolCall, ResponseFormat, ToolUse } from './tools.ts';
import { endpoint } from '../endpoint.ts';
import { chatPolicy } from '../parameters/chat.ts';
import { LocalSampling, Stop } from './sampling.ts';

export const CHAT_MESSAGES_MAX = 2048;

const ImageUrl = Type.String({
  minLength: 1,
  description: 'A data: URL of a PNG, JPEG, WebP or GIF; an https:// address where image_urls is on.',
});

/** Rules for particular kinds of parts are checked separately: one flat schema gives errors that name one field. */
const Part = Type.Object(
  {
    type: Type.Enum(['text', 'image_url', 'refusal', 'file']),
    text: Type.Optional(Type.String()),
    image_url: Type.Optional(
      Type.Union([
        ImageUrl,
        Type.Object(
          {
            url: ImageUrl,
          },
          { additionalProperties: false },
        ),
      ]),
    ),
    refusal: Type.Optional(Type.String()),
    file: Type.Optional(
      Type.Object(
        {
          filename: Type.Optional(Type.String()),
          file_data: Type.Optional(
            Type.String({ minLength: 1, description: 'A PDF or plain text file as a data: URL.' }),
          ),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);
export type ChatPart = Static<typeof Part>;

const Content = Type.Union([Type.String(), Type.Array(Part, { minItems: 1 })]);

/** Rules for particular roles are checked separately: one flat schema gives errors that name one field. */
export const ChatMessage = Type.Object(
  {
    role: Type.Enum(['system', 'developer', 'user', 'assistant', 'tool']),
    content: Type.Optional(Content),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'The name of the speaker; the model sees it only if its chat template uses it.',
      }),
    ),
    refusal: Type.Optional(Type.String()),
    tool_calls: Type.Optional(Type.Array(ChatToolCall, { maxItems: 128 })),
    tool_call_id: Type.Optional(Type.String({ minLength: 1 })),
    reasoning_content: Type.Optional(Type.String()),
    reasoning: Type.Optional(Type.String({ description: 'Alias of reasoning_content.' })),
  },
  { additionalProperties: false },
);
export type ChatMessage = Static<typeof ChatMessage>;

export const CHOICES_MAX = 4;
export const TOP_LOGPROBS_MAX = 20;

export const LogitBias = Type.Optional(
  Type.Record(Type.String(), Type.Number({ minimum: -100, maximum: 100 })),
);

const Probabilities = {
  logit_bias: LogitBias,
  logprobs: Type.Optional(Type.Boolean({ default: false })),
  top_logprobs: Type.Optional(Type.Integer({ minimum: 0, maximum: TOP_LOGPROBS_MAX })),
};

const Effort = Type.Enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']);

/** Whether and how long the model reasons, under the names of several servers. */
const Thinking = {
  reasoning_effort: Type.Optional(Effort),
  reasoning: Type.Optional(
    Type.Object(
      {
        effort: Type.Optional(Effort),
        max_tokens: Type.Optional(Type.Integer({ minimum: 1 })),
        enabled: Type.Optional(Type.Boolean()),
        exclude: Type.Optional(
          Type.Boolean({ description: 'The model reasons, but its reasoning is not returned.' }),
        ),
      },
      { additionalProperties: false },
    ),
  ),
  include_reasoning: Type.Optional(Type.Boolean()),
  enable_thinking: Type.Optional(Type.Boolean()),
  chat_template_kwargs: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'Variables for the chat template of the model.',
    }),
  ),
};

/** A final assistant message is continued, unless these say otherwise. */
const Continuing = {
  continue_final_message: Type.Optional(Type.Boolean()),
  add_generation_prompt: Type.Optional(Type.Boolean()),
};

export const ChatCompletionRequest = Type.Object(
  {
    model: Type.String({ minLength: 1 }),
    messages: Type.Array(ChatMessage, { minItems: 1, maxItems: CHAT_MESSAGES_MAX }),
    stream: Type.Optional(Type.Boolean({ default: false })),
    stream_options: Type.Optional(
      Type.Object(
        {
          include_usage: Type.Optional(Type.Boolean()),
        },
        { additionalProperties: false },
      ),
    ),
    max_tokens: Type.Optional(Type.Integer({ minimum: 1 })),
    max_completion_tokens: Type.Optional(Type.Integer({ minimum: 1 })),
    n_predict: Type.Optional(Type.Integer({ minimum: -1, description: 'Alias of max_tokens.' })),
    temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2, default: 1 })),
    top_p: Type.Optional(Type.Number({ minimum: 0, maximum: 1, default: 1 })),
    ...LocalSampling,
    stop: Stop,
    presence_penalty: Type.Optional(Type.Number({ minimum: -2, maximum: 2, default: 0 })),
    frequency_penalty: Type.Optional(Type.Number({ minimum: -2, maximum: 2, default: 0 })),
    seed: Type.Optional(Type.Integer()),
    n: Type.Optional(Type.Integer({ minimum: 1, maximum: CHOICES_MAX, default: 1 })),
    response_format: Type.Optional(ResponseFormat),
    ...LocalFormats,
    ...Thinking,
    ...Continuing,
    ...ToolUse,
    ...Probabilities,
  },
  { $id: 'ChatCompletionRequest', additionalProperties: false },
);
export type ChatCompletionRequest = Static<typeof ChatCompletionRequest>;

export const Usage = Type.Object({
  prompt_tokens: Type.Integer(),
  completion_tokens: Type.Integer(),
  total_tokens: Type.Integer(),
  prompt_tokens_details: Type.Object({ cached_tokens: Type.Integer() }),
  completion_tokens_details: Type.Object({
    reasoning_tokens: Type.Integer(),
    accepted_prediction_tokens: Type.Optional(
      Type.Integer({ description: 'Draft tokens that were accepted, with speculative decoding.' }),
    ),
    rejected_prediction_tokens: Type.Optional(Type.Integer()),
  }),
});
export type Usage = Static<typeof Usage>;

export const FinishReason = Type.Enum(['stop', 'length', 'tool_calls', 'content_filter']);
export type FinishReason = Static<typeof FinishReason>;

const StopDetail = Type.Optional(
  Type.Enum(['insufficient_credits', 'insufficient_quota', 'spending_limit_reached'], {
    description: 'Why the answer is shorter than allowed.',
  }),
);

const TokenLogprob = {
  token: Type.String(),
  logprob: Type.Number(),
  bytes: Type.Array(Type.Integer()),
};

export const Logprobs = Type.Object({
  content: Type.Array(Type.Object({ ...TokenLogprob, top_logprobs: Type.Array(Type.Object(TokenLogprob)) })),
  refusal: Type.Null(),
});
export type Logprobs = Static<typeof Logprobs>;

export const Fingerprint = Type.Optional(
  Type.String({ description: 'Changes when the model file or the version of askd changes.' }),
);

const Speed = Type.Union([Type.Number(), Type.Null()]);

/** Under llama-server's names. */
export const Timings = Type.Object(
  {
    cache_n: Type.Integer({ description: 'Prompt tokens reused from the cache.' }),
    prompt_n: Type.Integer({ description: 'Prompt tokens that were prefilled.' }),
    prompt_ms: Type.Number(),
    prompt_per_token_ms: Speed,
    prompt_per_second: Speed,
    predicted_n: Type.Integer(),
    predicted_ms: Type.Number(),
    predicted_per_token_ms: Speed,
    predicted_per_second: Speed,
  },
  { $id: 'Timings' },
);
export type Timings = Static<typeof Timings>;

const Ending = { finish_reason: FinishReason, stop_detail: StopDetail };
const Head = { id: Type.String(), created: Type.Integer(), model: Type.String() };

/** Only with the header `x-askd-debug: prompt` and the required scope: the rendered prompt. */
const Debug = Type.Optional(Type.Object({ prompt: Type.String() }));

export const ChatCompletion = Type.Object(
  {
    ...Head,
    object: Type.Literal('chat.completion'),
    choices: Type.Array(
      Type.Object({
        index: Type.Integer(),
        message: Type.Object({
          role: Type.Literal('assistant'),
          content: Type.Union([Type.String(), Type.Null()]),
          refusal: Type.Null(),
          reasoning_content: Type.Optional(Type.String()),
          tool_calls: Type.Optional(Type.Array(ChatToolCall)),
        }),
        logprobs: Type.Union([Logprobs, Type.Null()]),
        ...Ending,
      }),
    ),
    usage: Usage,
    system_fingerprint: Fingerprint,
    timings: Type.Optional(Timings),
    debug: Debug,
  },
  { $id: 'ChatCompletion' },
);
export type ChatCompletion = Static<typeof ChatCompletion>;

/** The first delta of a call has its id and name; later ones only add to the arguments. */
const ToolCallDelta = Type.Object({
  index: Type.Integer(),
  id: Type.Optional(Type.String()),
  type: Type.Optional(Type.Enum(['function', 'custom'])),
  function: Type.Optional(Type.Object({ name: Type.Optional(Type.String()), arguments: Type.String() })),
  custom: Type.Optional(Type.Object({ name: Type.Optional(Type.String()), input: Type.String() })),
});
export type ToolCallDelta = Static<typeof ToolCallDelta>;

export const ChatCompletionChunk = Type.Object(
  {
    ...Head,
    object: Type.Literal('chat.completion.chunk'),
    choices: Type.Array(
      Type.Object({
        index: Type.Integer(),
        delta: Type.Object({
          role: Type.Optional(Type.Literal('assistant')),
          content: Type.Optional(Type.String()),
          reasoning_content: Type.Optional(Type.String()),
          tool_calls: Type.Optional(Type.Array(ToolCallDelta)),
        }),
        logprobs: Type.Optional(Logprobs),
        finish_reason: Type.Union([FinishReason, Type.Null()]),
        stop_detail: StopDetail,
      }),
    ),
    usage: Type.Optional(Type.Union([Usage, Type.Null()])),
    system_fingerprint: Fingerprint,
    timings: Type.Optional(Timings),
    debug: Debug,
  },
  { $id: 'ChatCompletionChunk' },
);
export type ChatCompletionChunk = Static<typeof ChatCompletionChunk>;

export const createChatCompletion = endpoint({
  method: 'POST',
  path: '/v1/chat/completions',
  summary: 'Create a chat completion, as one response or as a stream of chunks',
  tag: 'Chat',
  access: 'chat',
  body: ChatCompletionRequest,
  policy: chatPolicy,
  response: ChatCompletion,
  event: ChatCompletionChunk,
});

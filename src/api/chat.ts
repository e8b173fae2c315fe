import { Type, type Static } from 'typebox';
import { endpoint } from './endpoint.ts';

export const CHAT_MESSAGES_MAX = 2048;

const TextPart = Type.Object(
  { type: Type.Literal('text'), text: Type.String() },
  { additionalProperties: false },
);

const ImagePart = Type.Object(
  {
    type: Type.Literal('image_url'),
    image_url: Type.Object(
      {
        url: Type.String({
          minLength: 1,
          description: 'A data: URL of a PNG, JPEG, WebP or GIF; an https:// address where image_urls is on.',
        }),
        /** The model sees the whole image, as large as it can. */
        detail: Type.Optional(Type.Enum(['auto', 'high'])),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);

const Content = Type.Union([
  Type.String(),
  Type.Array(Type.Union([TextPart, ImagePart]), { minItems: 1 }),
]);

export const ToolCall = Type.Object(
  {
    id: Type.String({ minLength: 1 }),
    type: Type.Literal('function'),
    function: Type.Object(
      { name: Type.String({ minLength: 1 }), arguments: Type.String() },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);
export type ToolCall = Static<typeof ToolCall>;

/** What only one role may have, or must, is checked apart: one shape makes for errors that name one field. */
export const ChatMessage = Type.Object(
  {
    role: Type.Enum(['system', 'developer', 'user', 'assistant', 'tool']),
    content: Type.Optional(Content),
    tool_calls: Type.Optional(Type.Array(ToolCall, { maxItems: 128 })),
    tool_call_id: Type.Optional(Type.String({ minLength: 1 })),
    reasoning_content: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
export type ChatMessage = Static<typeof ChatMessage>;

/** Accepted because clients send them, though they change nothing on a local server. */
const Noted = {
  user: Type.Optional(Type.String()),
  metadata: Type.Optional(Type.Unknown()),
  store: Type.Optional(Type.Unknown()),
  service_tier: Type.Optional(Type.Unknown()),
  safety_identifier: Type.Optional(Type.String()),
  prompt_cache_key: Type.Optional(Type.String()),
};

/** Only the value that means "off" is accepted: any other would be ignored. */
const OffOnly = {
  n: Type.Optional(Type.Literal(1)),
  logprobs: Type.Optional(Type.Literal(false)),
  response_format: Type.Optional(
    Type.Object({ type: Type.Literal('text') }, { additionalProperties: false }),
  ),
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
          include_obfuscation: Type.Optional(Type.Literal(false)),
        },
        { additionalProperties: false },
      ),
    ),
    max_tokens: Type.Optional(Type.Integer({ minimum: 1 })),
    max_completion_tokens: Type.Optional(Type.Integer({ minimum: 1 })),
    temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2, default: 1 })),
    top_p: Type.Optional(Type.Number({ minimum: 0, maximum: 1, default: 1 })),
    stop: Type.Optional(
      Type.Union([Type.String({ minLength: 1 }), Type.Array(Type.String({ minLength: 1 }), { maxItems: 4 })]),
    ),
    presence_penalty: Type.Optional(Type.Number({ minimum: -2, maximum: 2, default: 0 })),
    frequency_penalty: Type.Optional(Type.Number({ minimum: -2, maximum: 2, default: 0 })),
    seed: Type.Optional(Type.Integer()),
    ...Noted,
    ...OffOnly,
  },
  { $id: 'ChatCompletionRequest', additionalProperties: false },
);
export type ChatCompletionRequest = Static<typeof ChatCompletionRequest>;

export const Usage = Type.Object({
  prompt_tokens: Type.Integer(),
  completion_tokens: Type.Integer(),
  total_tokens: Type.Integer(),
  prompt_tokens_details: Type.Object({ cached_tokens: Type.Integer() }),
});
export type Usage = Static<typeof Usage>;

export const FinishReason = Type.Enum(['stop', 'length', 'tool_calls', 'content_filter']);
export type FinishReason = Static<typeof FinishReason>;

const StopDetail = Type.Optional(
  Type.Enum(['insufficient_credits', 'insufficient_quota'], {
    description: 'Why the answer is shorter than it was allowed to be.',
  }),
);

export const ChatCompletion = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('chat.completion'),
    created: Type.Integer(),
    model: Type.String(),
    choices: Type.Array(
      Type.Object({
        index: Type.Integer(),
        message: Type.Object({
          role: Type.Literal('assistant'),
          content: Type.String(),
          refusal: Type.Null(),
        }),
        logprobs: Type.Null(),
        finish_reason: FinishReason,
        stop_detail: StopDetail,
      }),
    ),
    usage: Usage,
  },
  { $id: 'ChatCompletion' },
);
export type ChatCompletion = Static<typeof ChatCompletion>;

export const ChatCompletionChunk = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('chat.completion.chunk'),
    created: Type.Integer(),
    model: Type.String(),
    choices: Type.Array(
      Type.Object({
        index: Type.Integer(),
        delta: Type.Object({
          role: Type.Optional(Type.Literal('assistant')),
          content: Type.Optional(Type.String()),
        }),
        finish_reason: Type.Union([FinishReason, Type.Null()]),
        stop_detail: StopDetail,
      }),
    ),
    usage: Type.Optional(Type.Union([Usage, Type.Null()])),
  },
  { $id: 'ChatCompletionChunk' },
);
export type ChatCompletionChunk = Static<typeof ChatCompletionChunk>;

export const createChatCompletion = endpoint({
  method: 'POST',
  path: '/v1/chat/completions',
  summary: 'Complete a conversation, as one answer or as a stream of chunks',
  tag: 'Chat',
  access: 'chat',
  body: ChatCompletionRequest,
  response: ChatCompletion,
  event: ChatCompletionChunk,
});

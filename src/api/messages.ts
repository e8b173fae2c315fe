import { Type, type Static } from './schema.ts';
import { CHAT_MESSAGES_MAX, TopK } from './chat.ts';
import { endpoint } from './endpoint.ts';
import { messagesPolicy } from './parameters/messages.ts';

const ImageSource = Type.Object(
  {
    type: Type.Enum(['base64', 'url']),
    media_type: Type.Optional(Type.String()),
    data: Type.Optional(Type.String()),
    url: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);

/** What only one kind of block may have, or must, is checked apart: one shape makes for errors that name one field. */
const Block = Type.Object(
  {
    type: Type.Enum(['text', 'image', 'tool_use', 'tool_result', 'thinking']),
    text: Type.Optional(Type.String()),
    source: Type.Optional(ImageSource),
    id: Type.Optional(Type.String({ minLength: 1 })),
    name: Type.Optional(Type.String({ minLength: 1 })),
    input: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    tool_use_id: Type.Optional(Type.String({ minLength: 1 })),
    content: Type.Optional(
      Type.Union([
        Type.String(),
        Type.Array(
          Type.Object(
            {
              type: Type.Enum(['text', 'image']),
              text: Type.Optional(Type.String()),
              source: Type.Optional(ImageSource),
            },
            { additionalProperties: false },
          ),
        ),
      ]),
    ),
    is_error: Type.Optional(Type.Boolean()),
    thinking: Type.Optional(Type.String()),
    signature: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
export type MessageBlock = Static<typeof Block>;

const TurnMessage = Type.Object(
  {
    role: Type.Enum(['user', 'assistant', 'system']),
    content: Type.Union([Type.String(), Type.Array(Block, { minItems: 1 })]),
  },
  { additionalProperties: false },
);
export type TurnMessage = Static<typeof TurnMessage>;

const SystemText = Type.Object(
  { type: Type.Literal('text'), text: Type.String() },
  { additionalProperties: false },
);

const Tool = Type.Object(
  {
    type: Type.Optional(Type.Literal('custom')),
    name: Type.String({ minLength: 1, maxLength: 128 }),
    description: Type.Optional(Type.String()),
    input_schema: Type.Record(Type.String(), Type.Unknown()),
    strict: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

const ToolChoice = Type.Object(
  {
    type: Type.Enum(['auto', 'any', 'tool', 'none']),
    name: Type.Optional(Type.String({ minLength: 1 })),
    disable_parallel_tool_use: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

const Thinking = Type.Object(
  {
    type: Type.Enum(['enabled', 'disabled', 'adaptive']),
    budget_tokens: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { additionalProperties: false },
);

const OutputConfig = Type.Object(
  {
    effort: Type.Optional(
      Type.Enum(['low', 'medium', 'high', 'xhigh', 'max'], {
        description: 'How long thoughts may be, where the model thinks.',
      }),
    ),
    format: Type.Optional(
      Type.Object(
        { type: Type.Literal('json_schema'), schema: Type.Record(Type.String(), Type.Unknown()) },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);

/** All that makes the prompt. */
const Prompt = {
  model: Type.String({ minLength: 1 }),
  messages: Type.Array(TurnMessage, { minItems: 1, maxItems: CHAT_MESSAGES_MAX }),
  system: Type.Optional(Type.Union([Type.String(), Type.Array(SystemText)])),
  tools: Type.Optional(Type.Array(Tool, { maxItems: 128 })),
  tool_choice: Type.Optional(ToolChoice),
  thinking: Type.Optional(Thinking),
  output_config: Type.Optional(OutputConfig),
};

export const MessagesRequest = Type.Object(
  {
    ...Prompt,
    max_tokens: Type.Integer({ minimum: 1 }),
    stop_sequences: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { maxItems: 16 })),
    stream: Type.Optional(Type.Boolean()),
    temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    top_p: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    top_k: TopK,
  },
  { $id: 'MessagesRequest', additionalProperties: false },
);
export type MessagesRequest = Static<typeof MessagesRequest>;

export const CountTokensRequest = Type.Object(Prompt, {
  $id: 'CountTokensRequest',
  additionalProperties: false,
});
export type CountTokensRequest = Static<typeof CountTokensRequest>;

export const MessagesUsage = Type.Object({
  input_tokens: Type.Integer({ description: 'Of the prompt, without those that were cached.' }),
  cache_creation_input_tokens: Type.Integer(),
  cache_read_input_tokens: Type.Integer(),
  output_tokens: Type.Integer(),
});
export type MessagesUsage = Static<typeof MessagesUsage>;

export const StopReason = Type.Enum(['end_turn', 'max_tokens', 'stop_sequence', 'tool_use', 'refusal']);
export type StopReason = Static<typeof StopReason>;

const AnswerBlock = Type.Object({
  type: Type.Enum(['text', 'tool_use', 'thinking']),
  text: Type.Optional(Type.String()),
  id: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  input: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  thinking: Type.Optional(Type.String()),
  signature: Type.Optional(Type.String()),
});
export type AnswerBlock = Static<typeof AnswerBlock>;

const Nullable = Type.Union([StopReason, Type.Null()]);

export const MessageAnswer = Type.Object(
  {
    id: Type.String(),
    type: Type.Literal('message'),
    role: Type.Literal('assistant'),
    model: Type.String(),
    content: Type.Array(AnswerBlock),
    stop_reason: Nullable,
    stop_sequence: Type.Union([Type.String(), Type.Null()]),
    usage: MessagesUsage,
  },
  { $id: 'MessageAnswer' },
);
export type MessageAnswer = Static<typeof MessageAnswer>;

export const MessageEvent = Type.Object(
  {
    type: Type.Enum([
      ...['message_start', 'content_block_start', 'ping', 'content_block_delta', 'content_block_stop'],
      ...['message_delta', 'message_stop', 'error'],
    ]),
    index: Type.Optional(Type.Integer()),
    message: Type.Optional(MessageAnswer),
    content_block: Type.Optional(AnswerBlock),
    delta: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    usage: Type.Optional(MessagesUsage),
  },
  { $id: 'MessageEvent' },
);
export type MessageEvent = Static<typeof MessageEvent>;

export const createMessage = endpoint({
  method: 'POST',
  path: '/v1/messages',
  summary: "Complete a conversation in the shape of Anthropic's Messages API",
  tag: 'Chat',
  access: 'chat',
  body: MessagesRequest,
  policy: messagesPolicy,
  response: MessageAnswer,
  event: MessageEvent,
});

export const countMessageTokens = endpoint({
  method: 'POST',
  path: '/v1/messages/count_tokens',
  summary: 'How many tokens the prompt of such a conversation has; nothing is charged',
  tag: 'Chat',
  access: 'chat',
  body: CountTokensRequest,
  policy: messagesPolicy,
  response: Type.Object({ input_tokens: Type.Integer() }),
});

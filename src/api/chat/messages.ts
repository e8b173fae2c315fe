import { Type, type Static } from '../schema.ts';
import { CHAT_MESSAGES_MAX } from './chat.ts';
import { endpoint } from '../endpoint.ts';
import { Block } from './message-blocks.ts';
import { McpServer, MessageTool, MessageToolChoice, TOOLS_MAX } from './message-tools.ts';
import { messagesPolicy } from '../parameters/messages.ts';

const TurnMessage = Type.Object(
  {
    role: Type.Enum(['user', 'assistant', 'system']),
    content: Type.Optional(Type.Union([Type.String(), Type.Array(Block)])),
    clear_at: Type.Optional(
      Type.Enum(['next_user_message', 'never'], { description: 'For a message with the role system.' }),
    ),
  },
  { additionalProperties: false },
);
export type TurnMessage = Static<typeof TurnMessage>;

const SystemText = Type.Object(
  { type: Type.Literal('text'), text: Type.String() },
  { additionalProperties: false },
);

const Thinking = Type.Object(
  {
    type: Type.Enum(['enabled', 'disabled', 'between_tools', 'adaptive']),
    budget_tokens: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { additionalProperties: false },
);

const OutputFormat = Type.Object(
  { type: Type.Literal('json_schema'), schema: Type.Record(Type.String(), Type.Unknown()) },
  { additionalProperties: false },
);

const OutputConfig = Type.Object(
  {
    effort: Type.Optional(
      Type.Enum(['low', 'medium', 'high', 'xhigh', 'max'], {
        description: 'The maximum length of the thinking, for models that think.',
      }),
    ),
    format: Type.Optional(OutputFormat),
  },
  { additionalProperties: false },
);

const STOPS_MAX = 256;
const MCP_SERVERS_MAX = 20;

/** Everything that goes into the prompt. */
const Prompt = {
  model: Type.String({ minLength: 1 }),
  messages: Type.Array(TurnMessage, { minItems: 1, maxItems: CHAT_MESSAGES_MAX }),
  system: Type.Optional(Type.Union([Type.String(), Type.Array(SystemText)])),
  tools: Type.Optional(Type.Array(MessageTool, { maxItems: TOOLS_MAX })),
  tool_choice: Type.Optional(MessageToolChoice),
  mcp_servers: Type.Optional(Type.Array(McpServer, { maxItems: MCP_SERVERS_MAX })),
  thinking: Type.Optional(Thinking),
  output_config: Type.Optional(OutputConfig),
  output_format: Type.Optional(OutputFormat),
};

export const MessagesRequest = Type.Object(
  {
    ...Prompt,
    max_tokens: Type.Integer({ minimum: 1 }),
    stop_sequences: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { maxItems: STOPS_MAX })),
    stream: Type.Optional(Type.Boolean()),
    temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    top_p: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    top_k: Type.Optional(Type.Integer({ minimum: -1, description: '0 and -1 mean no limit.' })),
    thread: Type.Optional(
      Type.Unknown({ description: 'Not supported: conversations of this API are not stored.' }),
    ),
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
  input_tokens: Type.Integer({ description: 'Prompt tokens, without cached ones.' }),
  cache_creation_input_tokens: Type.Integer(),
  cache_read_input_tokens: Type.Integer(),
  output_tokens: Type.Integer(),
  output_tokens_details: Type.Optional(Type.Object({ thinking_tokens: Type.Integer() })),
});
export type MessagesUsage = Static<typeof MessagesUsage>;

export const StopReason = Type.Enum([
  'end_turn',
  'max_tokens',
  'stop_sequence',
  'tool_use',
  'refusal',
  'model_context_window_exceeded',
]);
export type StopReason = Static<typeof StopReason>;

const AnswerBlock = Type.Object({
  type: Type.Enum(['text', 'tool_use', 'thinking', 'mcp_tool_use', 'mcp_tool_result']),
  text: Type.Optional(Type.String()),
  id: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  server_name: Type.Optional(Type.String()),
  input: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  thinking: Type.Optional(Type.String()),
  signature: Type.Optional(Type.String()),
  tool_use_id: Type.Optional(Type.String()),
  is_error: Type.Optional(Type.Boolean()),
  content: Type.Optional(Type.Array(Type.Object({ type: Type.Literal('text'), text: Type.String() }))),
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
  summary: "Create a message, as in Anthropic's Messages API",
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
  summary: 'Count the prompt tokens of such a request; nothing is charged',
  tag: 'Chat',
  access: 'chat',
  body: CountTokensRequest,
  policy: messagesPolicy,
  response: Type.Object({ input_tokens: Type.Integer() }),
});

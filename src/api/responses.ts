import { Type, type Static } from './schema.ts';
import { CHAT_MESSAGES_MAX } from './chat.ts';
import { endpoint } from './endpoint.ts';
import { responsesPolicy } from './parameters/responses.ts';

const Part = Type.Object(
  {
    type: Type.Enum(['input_text', 'output_text', 'input_image', 'reasoning_text', 'summary_text']),
    text: Type.Optional(Type.String()),
    image_url: Type.Optional(Type.String({ minLength: 1 })),
    annotations: Type.Optional(Type.Array(Type.Unknown())),
    logprobs: Type.Optional(Type.Array(Type.Unknown())),
  },
  { additionalProperties: false },
);
export type InputPart = Static<typeof Part>;

/** What only one kind of item may have, or must, is checked apart: one shape makes for errors that name one field. */
const Item = Type.Object(
  {
    type: Type.Optional(Type.Enum(['message', 'function_call', 'function_call_output', 'reasoning'])),
    id: Type.Optional(Type.String()),
    status: Type.Optional(Type.String()),
    role: Type.Optional(Type.Enum(['user', 'assistant', 'system', 'developer'])),
    content: Type.Optional(Type.Union([Type.String(), Type.Array(Part)])),
    call_id: Type.Optional(Type.String({ minLength: 1 })),
    name: Type.Optional(Type.String({ minLength: 1 })),
    arguments: Type.Optional(Type.String()),
    output: Type.Optional(Type.String()),
    summary: Type.Optional(Type.Array(Part)),
    encrypted_content: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
export type InputItem = Static<typeof Item>;

const Tool = Type.Object(
  {
    type: Type.Literal('function'),
    name: Type.String({ minLength: 1, maxLength: 128 }),
    description: Type.Optional(Type.String()),
    parameters: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    strict: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

const ToolChoice = Type.Union([
  Type.Enum(['auto', 'none', 'required']),
  Type.Object(
    { type: Type.Literal('function'), name: Type.String({ minLength: 1 }) },
    { additionalProperties: false },
  ),
]);

const Format = Type.Object(
  {
    type: Type.Enum(['text', 'json_object', 'json_schema']),
    name: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    schema: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    strict: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

/** Only the value that means "off" is accepted: nothing is kept here between two requests. */
const OffOnly = {
  store: Type.Optional(Type.Literal(false)),
};

/** All that makes the prompt, and what clients say beside it. */
const Prompt = {
  model: Type.String({ minLength: 1 }),
  input: Type.Union([
    Type.String({ minLength: 1 }),
    Type.Array(Item, { minItems: 1, maxItems: CHAT_MESSAGES_MAX }),
  ]),
  instructions: Type.Optional(Type.String()),
  tools: Type.Optional(Type.Array(Tool, { maxItems: 128 })),
  tool_choice: Type.Optional(ToolChoice),
  parallel_tool_calls: Type.Optional(Type.Boolean()),
  text: Type.Optional(Type.Object({ format: Type.Optional(Format) }, { additionalProperties: false })),
  reasoning: Type.Optional(
    Type.Object(
      { effort: Type.Optional(Type.Enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh'])) },
      { additionalProperties: false },
    ),
  ),
};

export const InputTokensRequest = Type.Object(Prompt, {
  $id: 'InputTokensRequest',
  additionalProperties: false,
});
export type InputTokensRequest = Static<typeof InputTokensRequest>;

export const ResponseRequest = Type.Object(
  {
    ...Prompt,
    max_output_tokens: Type.Optional(Type.Integer({ minimum: 1 })),
    temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2 })),
    top_p: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    stream: Type.Optional(Type.Boolean()),
    metadata: Type.Optional(Type.Unknown()),
    ...OffOnly,
  },
  { $id: 'ResponseRequest', additionalProperties: false },
);
export type ResponseRequest = Static<typeof ResponseRequest>;

const OutputPart = Type.Object({
  type: Type.Enum(['output_text', 'reasoning_text']),
  text: Type.String(),
  annotations: Type.Optional(Type.Array(Type.Unknown())),
  logprobs: Type.Optional(Type.Array(Type.Unknown())),
});
export type OutputPart = Static<typeof OutputPart>;

const OutputItem = Type.Object({
  type: Type.Enum(['message', 'function_call', 'reasoning']),
  id: Type.String(),
  status: Type.Enum(['in_progress', 'completed', 'incomplete']),
  role: Type.Optional(Type.Literal('assistant')),
  content: Type.Optional(Type.Array(OutputPart)),
  summary: Type.Optional(Type.Array(Type.Unknown())),
  call_id: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  arguments: Type.Optional(Type.String()),
});
export type OutputItem = Static<typeof OutputItem>;

const Nullable = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) =>
  Type.Union([schema, Type.Null()]);

export const ResponseUsage = Type.Object({
  input_tokens: Type.Integer(),
  input_tokens_details: Type.Object({ cached_tokens: Type.Integer() }),
  output_tokens: Type.Integer(),
  output_tokens_details: Type.Object({ reasoning_tokens: Type.Integer() }),
  total_tokens: Type.Integer(),
});

export const ResponseAnswer = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('response'),
    created_at: Type.Integer(),
    status: Type.Enum(['in_progress', 'completed', 'incomplete']),
    error: Type.Null(),
    incomplete_details: Nullable(Type.Object({ reason: Type.String() })),
    instructions: Nullable(Type.String()),
    max_output_tokens: Nullable(Type.Integer()),
    model: Type.String(),
    output: Type.Array(OutputItem),
    parallel_tool_calls: Type.Boolean(),
    previous_response_id: Type.Null(),
    reasoning: Type.Object({ effort: Nullable(Type.String()), summary: Type.Null() }),
    store: Type.Literal(false),
    temperature: Type.Number(),
    text: Type.Object({ format: Type.Unknown() }),
    tool_choice: Type.Unknown(),
    tools: Type.Array(Type.Unknown()),
    top_p: Type.Number(),
    truncation: Type.Literal('disabled'),
    usage: Nullable(ResponseUsage),
    metadata: Type.Unknown(),
  },
  { $id: 'ResponseAnswer' },
);
export type ResponseAnswer = Static<typeof ResponseAnswer>;

export const ResponseEvent = Type.Object(
  {
    type: Type.String(),
    sequence_number: Type.Integer(),
    response: Type.Optional(ResponseAnswer),
    output_index: Type.Optional(Type.Integer()),
    content_index: Type.Optional(Type.Integer()),
    item_id: Type.Optional(Type.String()),
    item: Type.Optional(OutputItem),
    part: Type.Optional(OutputPart),
    delta: Type.Optional(Type.String()),
    text: Type.Optional(Type.String()),
    arguments: Type.Optional(Type.String()),
    name: Type.Optional(Type.String()),
    logprobs: Type.Optional(Type.Array(Type.Unknown())),
  },
  { $id: 'ResponseEvent' },
);
export type ResponseEvent = Static<typeof ResponseEvent>;

export const createResponse = endpoint({
  method: 'POST',
  path: '/v1/responses',
  summary:
    'Answer in the shape of the Responses API; nothing is kept, so each request brings its conversation',
  tag: 'Chat',
  access: 'chat',
  body: ResponseRequest,
  policy: responsesPolicy,
  response: ResponseAnswer,
  event: ResponseEvent,
});

export const countInputTokens = endpoint({
  method: 'POST',
  path: '/v1/responses/input_tokens',
  summary: 'How many tokens the prompt of such a request has; nothing is charged',
  tag: 'Chat',
  access: 'chat',
  body: InputTokensRequest,
  policy: responsesPolicy,
  response: Type.Object({ object: Type.Literal('response.input_tokens'), input_tokens: Type.Integer() }),
});

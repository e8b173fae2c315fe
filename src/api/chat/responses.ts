import { Type, type Static } from '../schema.ts';
import { CHAT_MESSAGES_MAX, TOP_LOGPROBS_MAX } from './chat.ts';
import { endpoint } from '../endpoint.ts';
import { InputItem, ResponseTool, ResponseToolChoice } from './response-input.ts';
import { responsesPolicy } from '../parameters/responses.ts';

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

const Nullable = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) =>
  Type.Union([schema, Type.Null()]);

/** Everything that goes into the prompt, and what clients send along with it. */
const Prompt = {
  model: Type.String({ minLength: 1 }),
  input: Type.Union([Type.String({ minLength: 1 }), Type.Array(InputItem, { maxItems: CHAT_MESSAGES_MAX })]),
  previous_response_id: Type.Optional(
    Type.String({ minLength: 1, description: 'Continues from this response, which must have been stored.' }),
  ),
  conversation: Type.Optional(
    Type.Union([
      Type.String({ minLength: 1 }),
      Type.Object({ id: Type.String({ minLength: 1 }) }, { additionalProperties: false }),
    ]),
  ),
  instructions: Type.Optional(Type.String()),
  tools: Type.Optional(Type.Array(ResponseTool, { maxItems: 128 })),
  tool_choice: Type.Optional(ResponseToolChoice),
  parallel_tool_calls: Type.Optional(Type.Boolean()),
  text: Type.Optional(Type.Object({ format: Type.Optional(Format) }, { additionalProperties: false })),
  reasoning: Type.Optional(
    Type.Object(
      {
        effort: Type.Optional(Type.Enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh'])),
        summary: Type.Optional(
          Type.Enum(['auto', 'concise', 'detailed'], {
            description: 'The reasoning is also returned as a summary, which contains all of it.',
          }),
        ),
      },
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
    include: Type.Optional(Type.Array(Type.String())),
    top_logprobs: Type.Optional(Type.Integer({ minimum: 0, maximum: TOP_LOGPROBS_MAX })),
    metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    store: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'Whether a later request can continue from this response; response_store turns it off.',
      }),
    ),
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

const SummaryPart = Type.Object({ type: Type.Literal('summary_text'), text: Type.String() });

const OutputItem = Type.Object({
  type: Type.Enum([
    ...['message', 'function_call', 'custom_tool_call', 'reasoning', 'file_search_call'],
    ...['mcp_list_tools', 'mcp_call', 'mcp_approval_request'],
  ]),
  id: Type.String(),
  status: Type.Optional(Type.Enum(['in_progress', 'completed', 'incomplete', 'failed'])),
  role: Type.Optional(Type.Literal('assistant')),
  content: Type.Optional(Type.Array(OutputPart)),
  summary: Type.Optional(Type.Array(SummaryPart)),
  encrypted_content: Type.Optional(Type.String()),
  call_id: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  namespace: Type.Optional(Type.String()),
  arguments: Type.Optional(Type.String()),
  input: Type.Optional(Type.String()),
  queries: Type.Optional(Type.Array(Type.String())),
  results: Type.Optional(Type.Union([Type.Array(Type.Unknown()), Type.Null()])),
  server_label: Type.Optional(Type.String()),
  tools: Type.Optional(Type.Array(Type.Unknown())),
  output: Type.Optional(Nullable(Type.String())),
  error: Type.Optional(Nullable(Type.String())),
  approval_request_id: Type.Optional(Nullable(Type.String())),
});
export type OutputItem = Static<typeof OutputItem>;

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
    status: Type.Enum(['in_progress', 'completed', 'incomplete', 'failed']),
    error: Nullable(Type.Object({ code: Type.String(), message: Type.String() })),
    incomplete_details: Nullable(Type.Object({ reason: Type.String() })),
    instructions: Nullable(Type.String()),
    max_output_tokens: Nullable(Type.Integer()),
    model: Type.String(),
    output: Type.Array(OutputItem),
    parallel_tool_calls: Type.Boolean(),
    previous_response_id: Nullable(Type.String()),
    conversation: Nullable(Type.Object({ id: Type.String() })),
    reasoning: Type.Object({ effort: Nullable(Type.String()), summary: Nullable(Type.String()) }),
    store: Type.Boolean(),
    temperature: Type.Number(),
    text: Type.Object({ format: Type.Unknown() }),
    tool_choice: Type.Unknown(),
    tools: Type.Array(Type.Unknown()),
    top_logprobs: Type.Integer(),
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
    summary_index: Type.Optional(Type.Integer()),
    part: Type.Optional(Type.Union([OutputPart, SummaryPart])),
    delta: Type.Optional(Type.String()),
    text: Type.Optional(Type.String()),
    arguments: Type.Optional(Type.String()),
    input: Type.Optional(Type.String()),
    name: Type.Optional(Type.String()),
    logprobs: Type.Optional(Type.Array(Type.Unknown())),
    annotation: Type.Optional(Type.Unknown()),
    annotation_index: Type.Optional(Type.Integer()),
  },
  { $id: 'ResponseEvent' },
);
export type ResponseEvent = Static<typeof ResponseEvent>;

export const createResponse = endpoint({
  method: 'POST',
  path: '/v1/responses',
  summary:
    'Create a response, as in the Responses API, and store it so that later requests can continue from it',
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
  summary: 'Count the prompt tokens of such a request; nothing is charged',
  tag: 'Chat',
  access: 'chat',
  body: InputTokensRequest,
  policy: responsesPolicy,
  response: Type.Object({ object: Type.Literal('response.input_tokens'), input_tokens: Type.Integer() }),
});

const StoredItem = Type.Object({ id: Type.String(), type: Type.String() });
export type StoredItem = Static<typeof StoredItem>;

export const ItemList = Type.Object(
  {
    object: Type.Literal('list'),
    data: Type.Array(StoredItem),
    first_id: Nullable(Type.String()),
    last_id: Nullable(Type.String()),
    has_more: Type.Boolean(),
  },
  { $id: 'ItemList' },
);

/** `include` and `stream` are accepted in the forms that clients send. */
export const ItemListQuery = Type.Object(
  {
    after: Type.Optional(Type.String()),
    before: Type.Optional(Type.String()),
    include: Type.Optional(Type.Array(Type.String())),
    'include[]': Type.Optional(Type.Array(Type.String())),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
    order: Type.Optional(Type.Enum(['asc', 'desc'], { default: 'desc' })),
  },
  { additionalProperties: false },
);

export const getResponse = endpoint({
  method: 'GET',
  path: '/v1/responses/{id}',
  summary: 'Get a stored response',
  tag: 'Chat',
  access: 'chat',
  response: ResponseAnswer,
});

export const deleteResponse = endpoint({
  method: 'DELETE',
  path: '/v1/responses/{id}',
  summary: 'Delete a stored response with its input',
  tag: 'Chat',
  access: 'chat',
  response: Type.Object({
    id: Type.String(),
    object: Type.Literal('response'),
    deleted: Type.Literal(true),
  }),
});

export const cancelResponse = endpoint({
  method: 'POST',
  path: '/v1/responses/{id}/cancel',
  summary: 'Not supported: only background responses can be cancelled; close the connection instead',
  tag: 'Chat',
  access: 'chat',
  response: ResponseAnswer,
});

export const listInputItems = endpoint({
  method: 'GET',
  path: '/v1/responses/{id}/input_items',
  summary: 'List the input items of a stored response, including the conversation before it',
  tag: 'Chat',
  access: 'chat',
  query: ItemListQuery,
  response: ItemList,
});

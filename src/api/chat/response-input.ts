import { AttributeFilter, RankingOptions } from '../tasks/vector-stores.ts';
import { Type, type Static } from '../schema.ts';

const Part = Type.Object(
  {
    type: Type.Enum([
      ...['input_text', 'output_text', 'refusal', 'input_image', 'input_file'],
      ...['reasoning_text', 'summary_text', 'text'],
    ]),
    text: Type.Optional(Type.String()),
    refusal: Type.Optional(Type.String()),
    image_url: Type.Optional(Type.String({ minLength: 1 })),
    filename: Type.Optional(Type.String()),
    file_url: Type.Optional(Type.String({ minLength: 1 })),
    file_data: Type.Optional(
      Type.String({ minLength: 1, description: 'A PDF or plain text file as a data: URL.' }),
    ),
  },
  { additionalProperties: false },
);
export type InputPart = Static<typeof Part>;

const Parts = Type.Array(Part);

/** Rules for particular kinds of items are checked separately: one flat schema gives errors that name one field. */
export const InputItem = Type.Object(
  {
    type: Type.Optional(Type.String({ minLength: 1 })),
    id: Type.Optional(Type.String({ minLength: 1 })),
    role: Type.Optional(Type.Enum(['user', 'assistant', 'system', 'developer'])),
    content: Type.Optional(Type.Union([Type.String(), Parts])),
    call_id: Type.Optional(Type.String({ minLength: 1 })),
    name: Type.Optional(Type.String({ minLength: 1 })),
    namespace: Type.Optional(Type.String()),
    arguments: Type.Optional(Type.String()),
    input: Type.Optional(Type.String()),
    output: Type.Optional(Type.Union([Type.String(), Parts])),
    summary: Type.Optional(Parts),
    encrypted_content: Type.Optional(Type.String()),
    queries: Type.Optional(Type.Array(Type.String())),
    results: Type.Optional(Type.Array(Type.Unknown())),
    server_label: Type.Optional(Type.String()),
    tools: Type.Optional(Type.Array(Type.Unknown())),
    error: Type.Optional(Type.Unknown()),
    approval_request_id: Type.Optional(Type.String()),
    approve: Type.Optional(Type.Boolean()),
    reason: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
export type InputItem = Static<typeof InputItem>;

const Names = Type.Array(Type.String());
const named = { tool_names: Type.Optional(Names) };

/**
 * A tool of any type. Tools that the client runs are offered to the model; tools that only a provider can run are
 * omitted.
 */
export const ResponseTool = Type.Object({
  type: Type.String({ minLength: 1 }),
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  description: Type.Optional(Type.String()),
  parameters: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  strict: Type.Optional(Type.Boolean()),
  format: Type.Optional(
    Type.Object({
      type: Type.String(),
      syntax: Type.Optional(Type.String()),
      definition: Type.Optional(Type.String()),
    }),
  ),
  tools: Type.Optional(Type.Array(Type.Unknown())),
  vector_store_ids: Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      maxItems: 20,
      description:
        "For `file_search`: vector stores, and collections of the owner's documents by their names.",
    }),
  ),
  filters: Type.Optional(AttributeFilter),
  max_num_results: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
  ranking_options: Type.Optional(RankingOptions),
  server_label: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'For `mcp`: the name of a registered server.' }),
  ),
  server_url: Type.Optional(Type.String({ minLength: 1, description: 'Of a registered server.' })),
  server_description: Type.Optional(Type.String()),
  headers: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  authorization: Type.Optional(Type.String()),
  connector_id: Type.Optional(Type.String()),
  allowed_tools: Type.Optional(
    Type.Union([Names, Type.Object({ ...named, read_only: Type.Optional(Type.Boolean()) })]),
  ),
  require_approval: Type.Optional(
    Type.Union([
      Type.Enum(['always', 'never']),
      Type.Object({ always: Type.Optional(Type.Object(named)), never: Type.Optional(Type.Object(named)) }),
    ]),
  ),
});
export type ResponseTool = Static<typeof ResponseTool>;

const AnyTool = Type.Object({
  type: Type.String({ minLength: 1 }),
  name: Type.Optional(Type.String({ minLength: 1 })),
  namespace: Type.Optional(Type.String()),
  server_label: Type.Optional(Type.String()),
});

export const ResponseToolChoice = Type.Union([
  Type.Enum(['auto', 'none', 'required']),
  Type.Object({
    type: Type.String({ minLength: 1 }),
    name: Type.Optional(Type.String({ minLength: 1 })),
    namespace: Type.Optional(Type.String()),
    server_label: Type.Optional(Type.String()),
    mode: Type.Optional(Type.Enum(['auto', 'required'])),
    tools: Type.Optional(Type.Array(AnyTool, { minItems: 1 })),
  }),
]);
export type ResponseToolChoice = Static<typeof ResponseToolChoice>;

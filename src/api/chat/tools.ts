import { Type, type Static } from '../schema.ts';

const ToolName = Type.String({ pattern: '^[a-zA-Z0-9_.-]{1,64}$' });

const FunctionTool = Type.Object(
  {
    name: ToolName,
    description: Type.Optional(Type.String()),
    parameters: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    strict: Type.Optional(Type.Boolean({ description: 'Rejects a schema that cannot be enforced exactly.' })),
  },
  { additionalProperties: false },
);

/** A tool that takes free text. */
const CustomTool = Type.Object(
  {
    name: ToolName,
    description: Type.Optional(Type.String()),
    format: Type.Optional(Type.Unknown()),
  },
  { additionalProperties: false },
);

/** Any other type is a tool that only a provider can run: it is omitted and named. */
export const Tool = Type.Object(
  {
    type: Type.String({ minLength: 1 }),
    function: Type.Optional(FunctionTool),
    custom: Type.Optional(CustomTool),
  },
  { additionalProperties: false },
);
export type Tool = Static<typeof Tool>;

export const ChatToolCall = Type.Object(
  {
    id: Type.String({ minLength: 1 }),
    type: Type.Enum(['function', 'custom']),
    function: Type.Optional(
      Type.Object(
        { name: Type.String({ minLength: 1 }), arguments: Type.String() },
        { additionalProperties: false },
      ),
    ),
    custom: Type.Optional(
      Type.Object(
        { name: Type.String({ minLength: 1 }), input: Type.String() },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);
export type ChatToolCall = Static<typeof ChatToolCall>;

export const ResponseFormat = Type.Object(
  {
    type: Type.Enum(['text', 'json_object', 'json_schema']),
    schema: Type.Optional(
      Type.Unknown({ description: 'With json_object: the schema of the object, as llama-server takes it.' }),
    ),
    json_schema: Type.Optional(
      Type.Object(
        {
          name: Type.Optional(Type.String()),
          description: Type.Optional(Type.String()),
          schema: Type.Unknown(),
          strict: Type.Optional(Type.Boolean({ description: 'Every schema is enforced strictly.' })),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);
export type ResponseFormat = Static<typeof ResponseFormat>;

const NamedFunction = Type.Object({ name: Type.String() }, { additionalProperties: false });

const AllowedTools = Type.Object(
  {
    mode: Type.Enum(['auto', 'required']),
    tools: Type.Array(
      Type.Object(
        {
          type: Type.Enum(['function', 'custom']),
          function: Type.Optional(NamedFunction),
          custom: Type.Optional(NamedFunction),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: 128 },
    ),
  },
  { additionalProperties: false },
);

export const ToolUse = {
  tools: Type.Optional(Type.Array(Tool, { maxItems: 128 })),
  tool_choice: Type.Optional(
    Type.Union([
      Type.Enum(['none', 'auto', 'required']),
      Type.Object(
        {
          type: Type.Enum(['function', 'custom', 'allowed_tools']),
          function: Type.Optional(NamedFunction),
          custom: Type.Optional(NamedFunction),
          allowed_tools: Type.Optional(AllowedTools),
        },
        { additionalProperties: false },
      ),
    ]),
  ),
  parallel_tool_calls: Type.Optional(Type.Boolean({ default: true })),
};

import { Type, type Static } from '../schema.ts';

/** Enough for the tools of several MCP servers. */
export const TOOLS_MAX = 1024;

export const MessageTool = Type.Object(
  {
    type: Type.Optional(
      Type.String({
        description:
          '`custom`, or a client tool with a built-in schema: bash_*, text_editor_*, memory_* and computer_*. Tools that run on a provider are ignored and named in x-askd-ignored.',
      }),
    ),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
    description: Type.Optional(Type.String()),
    input_schema: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    input_examples: Type.Optional(Type.Array(Type.Record(Type.String(), Type.Unknown()))),
    strict: Type.Optional(Type.Boolean()),
    allowed_callers: Type.Optional(Type.Array(Type.String())),
    display_width_px: Type.Optional(Type.Integer({ minimum: 1 })),
    display_height_px: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { additionalProperties: false },
);
export type MessageTool = Static<typeof MessageTool>;

export const MessageToolChoice = Type.Object(
  {
    type: Type.Enum(['auto', 'any', 'tool', 'none']),
    name: Type.Optional(Type.String({ minLength: 1 })),
    disable_parallel_tool_use: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export type MessageToolChoice = Static<typeof MessageToolChoice>;

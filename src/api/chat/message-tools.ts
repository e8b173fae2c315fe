import { Type, type Static } from '../schema.ts';

/** Enough for the tools of several MCP servers. */
export const TOOLS_MAX = 1024;

const McpToolConfig = Type.Object(
  { enabled: Type.Optional(Type.Boolean()), defer_loading: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
);

export const MessageTool = Type.Object(
  {
    type: Type.Optional(
      Type.String({
        description:
          '`custom`, or a client tool with a built-in schema: bash_*, text_editor_*, memory_* and computer_*, or `mcp_toolset` for a registered MCP server. Tools that run on a provider are ignored and named in x-askd-ignored.',
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
    mcp_server_name: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Of an mcp_toolset: a server of mcp_servers, or one that is registered under this name.',
      }),
    ),
    default_config: Type.Optional(
      Type.Object({ enabled: Type.Optional(Type.Boolean()) }, { additionalProperties: false }),
    ),
    configs: Type.Optional(Type.Record(Type.String(), McpToolConfig)),
    tools: Type.Optional(
      Type.Array(Type.Object({ name: Type.String() }, { additionalProperties: true }), {
        description: 'Of an mcp_toolset: the only tools that may be used, described as their server does.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type MessageTool = Static<typeof MessageTool>;

export const McpServer = Type.Object(
  {
    type: Type.Literal('url'),
    name: Type.String({ minLength: 1 }),
    url: Type.Optional(
      Type.String({
        description: 'The address of a registered server. Without it, the one registered under this name.',
      }),
    ),
    tool_configuration: Type.Optional(
      Type.Object(
        { enabled: Type.Optional(Type.Boolean()), allowed_tools: Type.Optional(Type.Array(Type.String())) },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);
export type McpServer = Static<typeof McpServer>;

export const MessageToolChoice = Type.Object(
  {
    type: Type.Enum(['auto', 'any', 'tool', 'none']),
    name: Type.Optional(Type.String({ minLength: 1 })),
    disable_parallel_tool_use: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export type MessageToolChoice = Static<typeof MessageToolChoice>;

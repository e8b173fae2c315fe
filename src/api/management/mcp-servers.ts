import { endpoint } from '../endpoint.ts';
import { Type, type Static } from '../schema.ts';

const Name = Type.String({ minLength: 1, maxLength: 32 });
const Texts = Type.Record(Type.String(), Type.String());
const Use = Type.Enum(['free', 'ask', 'never'], {
  description: 'free: without approval. ask: after approval. never: not at all.',
});

export const McpServerRequest = Type.Object(
  {
    name: Name,
    command: Type.Optional(Type.String({ minLength: 1, description: 'A program on this machine.' })),
    args: Type.Optional(Type.Array(Type.String())),
    cwd: Type.Optional(Type.String({ minLength: 1, description: 'The folder in which it runs.' })),
    env: Type.Optional(Texts),
    url: Type.Optional(Type.String({ minLength: 1, description: 'Instead of a command: its address.' })),
    headers: Type.Optional(Texts),
  },
  { $id: 'McpServerRequest', additionalProperties: false },
);
export type McpServerRequest = Static<typeof McpServerRequest>;

const Server = {
  name: Type.String(),
  command: Type.Optional(Type.Array(Type.String())),
  cwd: Type.Optional(Type.String()),
  url: Type.Optional(Type.String()),
  env: Type.Array(Type.String(), { description: 'The names; the values are secret.' }),
  headers: Type.Array(Type.String()),
  login: Type.Enum(['none', 'needed', 'active'], {
    description: 'none: the server requires no login. needed: its tools wait until the owner logs in.',
  }),
  keys: Type.Array(Type.Object({ key: Type.String(), tools: Type.Array(Type.String()) }), {
    description: 'The keys that may use its tools, each with those it may use.',
  }),
  created_at: Type.String(),
};

/** As it was allowed; the server is not asked. */
export const McpServer = Type.Object(
  { ...Server, tools: Type.Array(Type.Object({ name: Type.String(), use: Use })) },
  { $id: 'McpServer' },
);
export type McpServer = Static<typeof McpServer>;

const OfferedTool = Type.Object({
  name: Type.String(),
  description: Type.String(),
  input_schema: Type.Record(Type.String(), Type.Unknown()),
  read_only: Type.Boolean({ description: 'How the server describes it.' }),
  state: Type.Enum(['free', 'ask', 'never', 'new', 'changed'], {
    description: 'new and changed tools cannot be called until they are allowed.',
  }),
});
export type McpOfferedTool = Static<typeof OfferedTool>;

/** As the server offers it now. */
export const InspectedMcpServer = Type.Object(
  {
    ...Server,
    tools: Type.Array(OfferedTool),
  },
  { $id: 'InspectedMcpServer' },
);
export type InspectedMcpServer = Static<typeof InspectedMcpServer>;

export const McpAllowance = Type.Object(
  {
    tools: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), { minItems: 1, description: 'All by default.' }),
    ),
    use: Type.Optional(Use),
    key: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Give the tools to this key; with the use "never", take them away.',
      }),
    ),
  },
  { $id: 'McpAllowance', additionalProperties: false },
);
export type McpAllowance = Static<typeof McpAllowance>;

export const McpToolCall = Type.Object(
  { tool: Type.String({ minLength: 1 }), arguments: Type.Record(Type.String(), Type.Unknown()) },
  { $id: 'McpToolCall', additionalProperties: false },
);
export type McpToolCall = Static<typeof McpToolCall>;

export const McpLogin = Type.Object(
  {
    redirect_uri: Type.String({
      pattern: '^http://(127\\.0\\.0\\.1|localhost|\\[::1\\]):[0-9]{1,5}/[A-Za-z0-9/_-]*$',
      description:
        'Where the browser sends the code: an address of this machine on which the caller listens.',
    }),
    client_id: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'For authorization servers without dynamic client registration.',
      }),
    ),
    client_secret: Type.Optional(Type.String({ minLength: 1 })),
    scope: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Scope to request instead of the one the server names.',
      }),
    ),
  },
  { $id: 'McpLogin', additionalProperties: false },
);
export type McpLogin = Static<typeof McpLogin>;

export const McpLoginAnswer = Type.Object(
  {
    state: Type.String({ minLength: 1 }),
    code: Type.Optional(Type.String({ minLength: 1 })),
    iss: Type.Optional(Type.String({ minLength: 1 })),
    error: Type.Optional(Type.String({ minLength: 1 })),
  },
  { $id: 'McpLoginAnswer', additionalProperties: false },
);
export type McpLoginAnswer = Static<typeof McpLoginAnswer>;

export const EndedMcpLogin = Type.Object(
  {
    name: Type.String(),
    was_active: Type.Boolean({ description: 'Whether there was a login.' }),
    revoked: Type.Boolean({ description: 'Whether the authorization server was notified.' }),
  },
  { $id: 'EndedMcpLogin' },
);
export type EndedMcpLogin = Static<typeof EndedMcpLogin>;

/** Servers start programs, so only the owner may manage them. */
const common = { tag: 'MCP', access: 'owner' } as const;
const one = '/api/daemon/mcp/{name}';

export const listMcpServers = endpoint({
  ...common,
  method: 'GET',
  path: '/api/daemon/mcp',
  summary: 'List the MCP servers whose tools models may use',
  response: Type.Object({ data: Type.Array(McpServer) }, { $id: 'McpServers' }),
});

export const addMcpServer = endpoint({
  ...common,
  method: 'POST',
  path: '/api/daemon/mcp',
  summary:
    'Register an MCP server, which must answer, and allow its tools as they are now or after the login',
  body: McpServerRequest,
  status: 201,
  response: InspectedMcpServer,
});

export const getMcpServer = endpoint({
  ...common,
  method: 'GET',
  path: one,
  summary: 'Get an MCP server as it was registered',
  response: McpServer,
});

export const inspectMcpServer = endpoint({
  ...common,
  method: 'POST',
  path: `${one}/test`,
  summary: 'Ask an MCP server for its tools, and compare them with what was allowed',
  response: InspectedMcpServer,
});

export const allowMcpTools = endpoint({
  ...common,
  method: 'POST',
  path: `${one}/allow`,
  summary: 'Allow tools of an MCP server as they are now',
  body: McpAllowance,
  response: InspectedMcpServer,
});

export const callMcpTool = endpoint({
  ...common,
  method: 'POST',
  path: `${one}/call`,
  summary: 'Call a tool of an MCP server; where approval is needed, the caller has obtained it',
  body: McpToolCall,
  response: Type.Object({ text: Type.String(), is_error: Type.Boolean() }, { $id: 'McpToolResult' }),
});

export const beginMcpLogin = endpoint({
  ...common,
  method: 'POST',
  path: `${one}/login`,
  summary: 'Begin a login for an MCP server: returns the address to open in a browser',
  body: McpLogin,
  response: Type.Object(
    { authorization_url: Type.String(), expires_at: Type.String() },
    { $id: 'McpLoginBegun' },
  ),
});

export const finishMcpLogin = endpoint({
  ...common,
  method: 'POST',
  path: `${one}/login/finish`,
  summary: 'Finish a login with what the browser returned; the tokens stay in the daemon',
  body: McpLoginAnswer,
  response: InspectedMcpServer,
});

export const endMcpLogin = endpoint({
  ...common,
  method: 'DELETE',
  path: `${one}/login`,
  summary: 'Log out of an MCP server and revoke its tokens where that is possible',
  response: EndedMcpLogin,
});

export const removeMcpServer = endpoint({
  ...common,
  method: 'DELETE',
  path: one,
  summary: 'Stop and remove an MCP server',
  response: Type.Object({ name: Type.String(), deleted: Type.Literal(true) }, { $id: 'McpServerDeleted' }),
});

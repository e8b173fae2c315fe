import {
  addMcpServer,
  allowMcpTools,
  beginMcpLogin,
  callMcpTool,
  endMcpLogin,
  finishMcpLogin,
  getMcpServer,
  inspectMcpServer,
  listMcpServers,
  removeMcpServer,
  type InspectedMcpServer,
  type McpServer,
  type McpServerRequest,
} from '../../../src/api/management/mcp-servers.ts';
import { toIso } from '../../../src/base/clock.ts';
import { Failure } from '../../../src/base/errors.ts';
import type { Definition, ServerDefinition } from '../../../src/agent/mcp/definition.ts';
import type { InspectedServer, RegisteredServer } from '../../../src/agent/mcp/servers.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';

export function registerMcpServers(register: RegisterRoute, { mcpServers }: Services): void {
  register(listMcpServers, () => ({ data: mcpServers.list().map(toServer) }));
  register(addMcpServer, async ({ body }) => toInspected(await mcpServers.add(toDefinition(body))));
  register(getMcpServer, ({ params: { name = '' } }) => toServer(mcpServers.show(name)));
  register(inspectMcpServer, async ({ params: { name = '' } }) =>
    toInspected(await mcpServers.inspect(name)),
  );
  register(allowMcpTools, async ({ params: { name = '' }, body }) =>
    toInspected(
      await mcpServers.allow(name, { ...body, ...(body.key !== undefined && { keyId: body.key }) }),
    ),
  );
  register(callMcpTool, async ({ params: { name = '' }, body, client, requestId, principal }) => {
    const by = { requestId, accountId: principal.accountId, keyId: null };
    const called = { server: name, tool: body.tool, input: body.arguments, by };
    const { text, isError } = await mcpServers.call(called, client);
    return { text, is_error: isError };
  });
  register(beginMcpLogin, async ({ params: { name = '' }, body }) => {
    const { redirect_uri: redirectUri, client_id: clientId, client_secret: clientSecret, scope } = body;
    const { url, until } = await mcpServers.beginLogin(name, {
      redirectUri,
      ...(clientId !== undefined && { clientId }),
      ...(clientSecret !== undefined && { clientSecret }),
      ...(scope !== undefined && { scope }),
    });
    return { authorization_url: url, expires_at: toIso(until) };
  });
  register(finishMcpLogin, async ({ params: { name = '' }, body }) =>
    toInspected(await mcpServers.finishLogin(name, body)),
  );
  register(endMcpLogin, async ({ params: { name = '' } }) => {
    const { wasActive, isRevoked } = await mcpServers.logOut(name);
    return { name, was_active: wasActive, revoked: isRevoked };
  });
  register(removeMcpServer, async ({ params: { name = '' } }) => {
    await mcpServers.remove(name);
    return { name, deleted: true as const };
  });
}

function toDefinition({ name, env = {}, headers = {}, ...rest }: McpServerRequest): ServerDefinition {
  return { name, definition: placeOf(rest), secrets: { env, headers } };
}

function placeOf({ command, args = [], cwd = '/', url }: Omit<McpServerRequest, 'name'>): Definition {
  if (url !== undefined && command === undefined) return { url };
  if (command !== undefined && url === undefined) return { command, args, cwd };
  throw new Failure('invalid_value', 'An MCP server has either a command or an address.', {
    details: { fix: 'askd mcp add NAME -- COMMAND, or askd mcp add NAME --url URL' },
  });
}

function described({ name, definition, env, headers, login, keys, createdAt }: RegisteredServer) {
  const place =
    'url' in definition
      ? { url: definition.url }
      : { command: [definition.command, ...definition.args], cwd: definition.cwd };
  const allowed = keys.map(({ keyId, tools }) => ({ key: keyId, tools: [...tools] }));
  return { name, ...place, env, headers, login, keys: allowed, created_at: createdAt };
}

function toServer(server: RegisteredServer): McpServer {
  return { ...described(server), tools: server.tools.map(({ name, use }) => ({ name, use })) };
}

function toInspected(server: InspectedServer): InspectedMcpServer {
  const tools = server.offered.map(({ tool, state }) => ({
    name: tool.name,
    description: tool.description ?? '',
    input_schema: tool.inputSchema,
    read_only: tool.annotations?.readOnlyHint === true,
    state,
  }));
  return { ...described(server), tools };
}

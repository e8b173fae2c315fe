import type { McpServer, MessageTool } from '../../../src/api/chat/message-tools.ts';
import type { CountTokensRequest, TurnMessage } from '../../../src/api/chat/messages.ts';
import type { McpServers } from '../../../src/agent/mcp/servers.ts';
import type { TaskContext } from '../../../src/inference/items.ts';
import type { HostedTools } from '../hosted/hosted-tool.ts';
import { openMcpTools, type McpTool, type WantedServer } from '../hosted/mcp.ts';
import { registeredServer } from '../hosted/registered-server.ts';
import type { LeaveOut } from '../parameters/leave-out.ts';
import { invalid, required } from './invalid.ts';

type Body = Pick<CountTokensRequest, 'mcp_servers' | 'tools' | 'messages'>;
type Options = {
  body: Body;
  context: TaskContext;
  leaveOut: LeaveOut;
  /** Called for each tool that cannot run, since its call would need approval. */
  nameAsking: (name: string) => void;
};

/** The tools of the MCP servers that a request names; undefined if it names none. */
export async function openMcpServers(
  mcpServers: McpServers,
  { body, context, leaveOut, nameAsking }: Options,
): Promise<HostedTools | undefined> {
  const wanted = wantedServers(body, mcpServers.list(), leaveOut);
  if (wanted.length === 0) return undefined;
  const tools = new Map<string, McpTool>();
  const isTaken = (name: string) => tools.has(name) || (body.tools ?? []).some((tool) => tool.name === name);
  for (const { param, ...server } of wanted) {
    const found = await openMcpTools({ mcpServers, context }, server, isTaken);
    const asking = found.filter(({ needsApproval }) => needsApproval);
    if (found.length > 0 && asking.length === found.length) throw allAsk(server, asking, param);
    for (const { name } of asking) nameAsking(`mcp_servers[${server.label}].${name}`);
    for (const tool of found) if (!tool.needsApproval) tools.set(tool.definition.name, tool);
  }
  return { tools, begin: noMessages, annotate: () => [] };
}

// eslint-disable-next-line require-yield -- nothing happens before the model is asked
async function* noMessages(): AsyncGenerator<never, []> {
  return [];
}

type Toolset = { tool: MessageTool; label: string; param: string };

function wantedServers(
  { mcp_servers: named = [], tools = [], messages }: Body,
  servers: ReturnType<McpServers['list']>,
  leaveOut: LeaveOut,
): (WantedServer & { param: string })[] {
  const toolsets = toolsetsIn(tools, leaveOut);
  refuseTwins(named.map(({ name }, place) => ({ label: name, param: `mcp_servers[${place}].name` })));
  refuseTwins(toolsets);
  const entries = named.map((server, place) => ({
    label: server.name,
    url: server.url,
    configuration: server.tool_configuration,
    params: { label: `mcp_servers[${place}].name`, url: `mcp_servers[${place}].url` },
    toolset: toolsets.find(({ label }) => label === server.name),
  }));
  const alone = toolsets.filter(({ label }) => named.every(({ name }) => name !== label));
  for (const { label, param, ...toolset } of alone)
    entries.push({
      ...{ label, url: undefined, configuration: undefined },
      ...{ params: { label: param, url: param }, toolset: { label, param, ...toolset } },
    });
  return entries
    .filter(({ configuration }) => configuration?.enabled !== false)
    .map(({ label, url, configuration, params, toolset }) => ({
      label,
      server: registeredServer(servers, { label, url, params }),
      allows: ({ tool: { name } }) =>
        isAllowed(name, configuration, toolset?.tool) && !isWithdrawn(messages, label, name),
      asks: () => false,
      param: params.label,
    }));
}

function toolsetsIn(tools: readonly MessageTool[], leaveOut: LeaveOut): Toolset[] {
  return tools.flatMap((tool, place) => {
    if (tool.type !== 'mcp_toolset') return [];
    const at = `tools[${place}]`;
    if (Object.values(tool.configs ?? {}).some((config) => config.defer_loading !== undefined))
      leaveOut('tools[].configs.defer_loading', `${at}.configs`);
    const param = `${at}.mcp_server_name`;
    return [{ tool, label: required(tool.mcp_server_name, param), param }];
  });
}

/** Older clients choose the tools of a server where they name it, newer ones in a toolset. */
function isAllowed(
  name: string,
  configuration: McpServer['tool_configuration'],
  toolset: MessageTool | undefined,
): boolean {
  const { default_config: usual, configs = {}, tools: pinned } = toolset ?? {};
  return (
    (configuration?.allowed_tools?.includes(name) ?? true) &&
    (pinned?.some((tool) => tool.name === name) ?? true) &&
    (configs[name]?.enabled ?? usual?.enabled ?? true)
  );
}

/** Messages may remove tools and add them back; the last change counts. */
function isWithdrawn(messages: readonly TurnMessage[], label: string, name: string): boolean {
  const blocks = messages.flatMap(({ content }) => (typeof content === 'object' ? content : []));
  const last = blocks.findLast(
    ({ type, tool }) =>
      (type === 'tool_addition' || type === 'tool_removal') &&
      tool?.server_name === label &&
      (tool.type === 'mcp_toolset_reference' || (tool.type === 'mcp_tool_reference' && tool.name === name)),
  );
  return last?.type === 'tool_removal';
}

function refuseTwins(named: readonly { label: string; param: string }[]): void {
  const twin = named.find(({ label }, place) => named.findIndex((each) => each.label === label) < place);
  if (twin) throw invalid(twin.param, `The MCP server "${twin.label}" is named twice.`);
}

function allAsk({ label, server }: WantedServer, asking: readonly McpTool[], param: string) {
  const names = asking.map(({ name }) => name).join(', ');
  return invalid(
    param,
    `Every tool of the MCP server "${label}" that may be used here requires approval, and this API cannot ask for it: ${names}. The owner of the daemon can let a tool run without approval: askd mcp allow ${server} TOOL --free`,
  );
}

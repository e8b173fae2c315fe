import type { InputItem, ResponseTool } from '../../../src/api/chat/response-input.ts';
import type { OutputItem } from '../../../src/api/chat/responses.ts';
import { modelToolName } from '../../../src/agent/mcp/tool-names.ts';
import type { McpServers } from '../../../src/agent/mcp/servers.ts';
import type { ChatMessage } from '../../../src/runtime/engine.ts';
import { added, done, progress, type HostedEvent } from '../hosted/hosted-tool.ts';
import type { McpTool, WantedServer } from '../hosted/mcp.ts';
import { registeredServer } from '../hosted/registered-server.ts';
import { invalid, required } from '../../http/required.ts';
import type { LeaveOut } from '../parameters/leave-out.ts';

type Registered = ReturnType<McpServers['list']>;

/** The server that a tool of the request refers to: one that the owner registered, by its name or its URL. */
export function wantedServer(
  tool: ResponseTool,
  param: string,
  { servers, leaveOut }: { servers: Registered; leaveOut: LeaveOut },
): WantedServer {
  const label = required(tool.server_label, `${param}.server_label`);
  const { server_url: url, allowed_tools: allowed, require_approval: approval } = tool;
  for (const name of ['headers', 'authorization', 'connector_id'] as const)
    if (tool[name] !== undefined) leaveOut(`tools[].${name}`, `${param}.${name}`);
  const params = { label: `${param}.server_label`, url: `${param}.server_url` };
  return {
    label,
    server: registeredServer(servers, { label, url, params }),
    allows: ({ tool: offered }) => {
      if (allowed === undefined) return true;
      if (Array.isArray(allowed)) return allowed.includes(offered.name);
      const isReadOnly = offered.annotations?.readOnlyHint === true;
      return (
        (allowed.tool_names?.includes(offered.name) ?? true) && (allowed.read_only !== true || isReadOnly)
      );
    },
    asks: (name) => {
      if (typeof approval !== 'object') return approval === 'always';
      return approval.always?.tool_names?.includes(name) ?? false;
    },
  };
}

type Decisions = ReturnType<typeof decisionsIn>;
type Beginning = {
  items: readonly InputItem[];
  decisions: Decisions;
  servers: readonly OpenServer[];
  suffix: string;
};
export type OpenServer = { label: string; tools: readonly McpTool[] };

/** Lists the tools of each server once in a conversation, and runs the calls that were approved. */
export async function* beginMcp({
  items,
  decisions,
  servers,
  suffix,
}: Beginning): AsyncGenerator<HostedEvent, ChatMessage[]> {
  for (const [place, server] of servers.entries()) {
    const isListed = (item: InputItem) =>
      item.type === 'mcp_list_tools' && item.server_label === server.label;
    if (!items.some(isListed)) yield* listTools(server, `mcpl_${suffix}_${place}`);
  }
  const messages: ChatMessage[] = [];
  for (const [place, { request, approve, reason }] of decisions.entries()) {
    const { id = '', name = '', server_label: label = '', arguments: text = '{}' } = request;
    const tool = servers.find((each) => each.label === label)?.tools.find((each) => each.name === name);
    const call = { id, name: tool?.definition.name ?? modelToolName(label, name), arguments: text };
    messages.push({ role: 'assistant', content: '', toolCalls: [call] });
    const refusal = `The user did not allow this call${reason === undefined ? '' : `: ${reason}`}.`;
    const gone = `There is no tool "${name}" of "${label}" in this request.`;
    const content = !approve
      ? refusal
      : tool
        ? yield* tool.execute({ ...call, suffix: `${suffix}_a${place}` }, id)
        : gone;
    messages.push({ role: 'tool', toolCallId: id, content });
  }
  return messages;
}

function* listTools({ label, tools }: OpenServer, id: string): Generator<HostedEvent> {
  const item: OutputItem = { type: 'mcp_list_tools', id, server_label: label, tools: [] };
  yield added({ ...item });
  yield progress('response.mcp_list_tools.in_progress', item);
  item.tools = tools.map(({ name, definition: { description = '', parameters } }) => ({
    ...{ name, description, input_schema: parameters, annotations: null },
  }));
  yield progress('response.mcp_list_tools.completed', item);
  yield done(item);
}

/** Only the decisions in this request: earlier ones have already been acted on. */
export function decisionsIn(items: readonly InputItem[]) {
  const isNew = (place: number) =>
    items.slice(place + 1).every(({ type, role }) => type === 'mcp_approval_response' || role === 'user');
  return items.flatMap((item, place) => {
    if (item.type !== 'mcp_approval_response' || !isNew(place)) return [];
    const param = `input[${place}]`;
    const id = required(item.approval_request_id, `${param}.approval_request_id`);
    const request = items.find((each) => each.type === 'mcp_approval_request' && each.id === id);
    if (!request) throw invalid(`${param}.approval_request_id`, `No approval request has the id "${id}".`);
    return [{ request, approve: required(item.approve, `${param}.approve`), reason: item.reason }];
  });
}

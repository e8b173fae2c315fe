import type { Principal } from '../../../src/access/keys.ts';
import type { InputItem } from '../../../src/api/chat/response-input.ts';
import type { InputTokensRequest } from '../../../src/api/chat/responses.ts';
import type { TaskContext } from '../../../src/inference/items.ts';
import type { Services } from '../../compose.ts';
import { invalid } from '../../http/required.ts';
import { createFileSearchTool } from '../hosted/file-search.ts';
import type { HostedTool, HostedTools } from '../hosted/hosted-tool.ts';
import { openMcpTools } from '../hosted/mcp.ts';
import type { LeaveOut } from '../parameters/leave-out.ts';
import { beginMcp, decisionsIn, wantedServer, type OpenServer } from './mcp-tools.ts';

type Options = {
  body: InputTokensRequest & { include?: string[] };
  principal: Principal;
  context: TaskContext;
  leaveOut: LeaveOut;
};
type Parts = Pick<Services, 'vectorStores' | 'mcpServers'>;

/** The tools of a request that run here; undefined if there are none. */
export async function openHosted(parts: Parts, options: Options): Promise<HostedTools | undefined> {
  const { body, context } = options;
  const types = (body.tools ?? []).map(({ type }) => type);
  if (!types.includes('file_search') && !types.includes('mcp')) return undefined;
  const tools = new Map<string, HostedTool>();
  const search = openFileSearch(parts, options);
  if (search) tools.set(search.hosted.definition.name, search.hosted);
  const servers = await openServers(parts, options, tools);
  const items: readonly InputItem[] = typeof body.input === 'string' ? [] : body.input;
  const decisions = decisionsIn(items);
  const suffix = context.requestId.replace(/^req_/, '');
  return {
    tools,
    begin: () => beginMcp({ items, decisions, servers, suffix }),
    annotate: search?.annotate ?? (() => []),
  };
}

function openFileSearch({ vectorStores }: Parts, { body, principal, context }: Options) {
  const { tools = [], include = [] } = body;
  const [place, twin] = tools.flatMap(({ type }, at) => (type === 'file_search' ? [at] : []));
  if (place === undefined) return undefined;
  if (twin !== undefined)
    throw invalid(`tools[${twin}]`, 'Only one "file_search" can be used: give it all vector stores.');
  return createFileSearchTool({
    tool: tools[place] ?? { type: 'file_search' },
    param: `tools[${place}]`,
    vectorStores,
    principal,
    context,
    showsResults: include.includes('file_search_call.results'),
  });
}

async function openServers(
  { mcpServers }: Parts,
  { body, context, leaveOut }: Options,
  tools: Map<string, HostedTool>,
): Promise<OpenServer[]> {
  const opened: OpenServer[] = [];
  const registered = mcpServers.list();
  for (const [place, tool] of (body.tools ?? []).entries()) {
    if (tool.type !== 'mcp') continue;
    const wanted = wantedServer(tool, `tools[${place}]`, { servers: registered, leaveOut });
    if (opened.some(({ label }) => label === wanted.label))
      throw invalid(`tools[${place}].server_label`, `Two tools have the label "${wanted.label}".`);
    const found = await openMcpTools({ mcpServers, context }, wanted, (name) => tools.has(name));
    for (const each of found) tools.set(each.definition.name, each);
    opened.push({ label: wanted.label, tools: found });
  }
  return opened;
}

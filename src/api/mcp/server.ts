import { Server, type CallToolResult, type ServerContext } from '@modelcontextprotocol/server';
import type { Access } from '../endpoint.ts';
import { Failure, toErrorBody, toFailure } from '../../base/errors.ts';
import { version } from '../../base/version.ts';
import type { Http } from '../http/http.ts';
import type { Place, Progress, Tool } from './tool.ts';
import { TOOLS } from './tools.ts';

export type Serving = Place & {
  /** The connection to the API for one call, with the caller's credential. */
  connect: (context: ServerContext) => Promise<Http>;
  /** Whether the caller may use endpoints of this access. */
  mayUse: (access: Access, context: ServerContext) => boolean;
  /** A failure that is a bug: its cause is only logged. */
  onBug: (failure: Failure) => void;
};

const INSTRUCTIONS =
  'askd runs models on the machine of its user. Its tools cost credits of that machine, and nothing is sent to others, ' +
  'except that research may read the web.';

/** askd as an MCP server: each tool is a request to an endpoint of the API, with its limits and prices. */
export function createMcpServer(serving: Serving): Server {
  const server = new Server(
    { name: 'askd', title: 'askd', version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  const allowed = (context: ServerContext) => TOOLS.filter(({ access }) => serving.mayUse(access, context));
  server.setRequestHandler('tools/list', (_request, context) => ({
    tools: allowed(context).map((tool) => describe(tool, serving)),
  }));
  server.setRequestHandler('tools/call', ({ params }, context) => {
    const tool = TOOLS.find(({ name }) => name === params.name);
    return tool === undefined
      ? unknownTool(params.name)
      : run(tool, params.arguments ?? {}, serving, context);
  });
  return server;
}

function describe({ name, title, description, annotations, input }: Tool, place: Place) {
  return { name, title, description, annotations, inputSchema: input(place) as { type: 'object' } };
}

async function run(
  tool: Tool,
  input: Record<string, unknown>,
  serving: Serving,
  context: ServerContext,
): Promise<CallToolResult> {
  const { signal } = context.mcpReq;
  const { withUpload } = serving;
  try {
    refuseUnknown(tool, input, serving);
    const http = await serving.connect(context);
    return await tool.run(input, {
      http,
      signal,
      progress: progressOf(context),
      ...(withUpload && { withUpload }),
    });
  } catch (error) {
    const failure = toFailure(error);
    if (failure.code === 'internal_error' && !signal.aborted) serving.onBug(failure);
    return failed(failure);
  }
}

/** The endpoint validates values; unknown names never reach it, so they are checked here. */
function refuseUnknown(tool: Tool, input: Record<string, unknown>, place: Place): void {
  const { properties = {} } = tool.input(place) as { properties?: Record<string, unknown> };
  const unknown = Object.keys(input).find((name) => !Object.hasOwn(properties, name));
  if (unknown === undefined) return;
  const message = `"${unknown}" is not an argument of ${tool.name}. It takes ${Object.keys(properties).join(', ')}.`;
  throw new Failure('unsupported_parameter', message, { param: unknown });
}

function progressOf({ mcpReq }: ServerContext): (state: Progress) => void {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  return ({ done, total, message }) => {
    const params = { progressToken, progress: done, ...(total && { total }), ...(message && { message }) };
    // A client that has disconnected needs no progress.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

/** As a result, not as a protocol error: the model reads it and can correct itself. */
function failed(failure: Failure): CallToolResult {
  const { message, code } = toErrorBody(failure).error;
  const { fix } = failure.details;
  const text = [message, ...(typeof fix === 'string' ? [`To fix it: ${fix}`] : [])].join('\n');
  return { isError: true, content: [{ type: 'text', text }], structuredContent: { code, message } };
}

function unknownTool(name: string): CallToolResult {
  const names = TOOLS.map((tool) => tool.name).join(', ');
  return failed(new Failure('not_found', `There is no tool ${JSON.stringify(name)}. There are ${names}.`));
}

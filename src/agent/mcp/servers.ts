import type { Tool } from '@modelcontextprotocol/client';
import type { Clock } from '../../base/clock.ts';
import type { AgentOutbound } from '../outbound.ts';
import { Failure, toFailure } from '../../base/errors.ts';
import type { Seal } from '../../base/sealed.ts';
import type { Log } from '../../log/log.ts';
import type { Store } from '../../store/store.ts';
import { allowAtFirst, fingerprintOf, stateOf, type ToolState, type Use } from './approval.ts';
import { createConnections } from './connections.ts';
import { checkDefinition, type ServerDefinition } from './definition.ts';
import { createCallRecords, type CallOf } from './calls.ts';
import { createKeyTools, type KeyTools } from './key-tools.ts';
import type { LoginWanted } from './login/begin.ts';
import { tokenWanted } from './login/failures.ts';
import { createLogins } from './login/logins.ts';
import type { LoginAnswer } from './login/tokens.ts';
import { createRegistry, type ShownServer } from './registry.ts';
import type { ToolOutcome } from './result-text.ts';

const CALL_MS_MAX = 60_000;

export type OfferedTool = { tool: Tool; state: ToolState };
/** With the keys that may use its tools. */
export type RegisteredServer = ShownServer & { keys: readonly KeyTools[] };
export type InspectedServer = RegisteredServer & { offered: readonly OfferedTool[] };
export type McpServers = ReturnType<typeof createMcpServers>;

type Parts = {
  store: Store;
  seal: Seal;
  clock: Clock;
  log: Log;
  outbound: AgentOutbound;
  callMsMax?: number;
  /** How long an authorization server may take to respond. */
  loginMsMax?: number;
};

/** The owner's MCP servers, with the tools that were allowed. */
export function createMcpServers({ log, callMsMax = CALL_MS_MAX, ...parts }: Parts) {
  const registry = createRegistry(parts);
  const logins = createLogins({ ...parts, registry });
  const { using, end, close } = createConnections({ logins, callMsMax });
  const keyTools = createKeyTools(parts);
  const records = createCallRecords(parts);

  const withKeys = (server: ShownServer): RegisteredServer => ({
    ...server,
    keys: keyTools.ofServer(server.name),
  });
  const show = (name: string) => withKeys(registry.show(name));

  async function inspect(name: string): Promise<InspectedServer> {
    const shown = show(name);
    const tools = await using(registry.find(name), (connection) => connection.listTools());
    const offered = tools.map((tool) => ({ tool, state: stateOf(tool, shown.tools) }));
    return { ...shown, offered };
  }

  /** The server must answer before it is stored: the owner sees and allows its tools as they are now. */
  async function add(server: ServerDefinition): Promise<InspectedServer> {
    checkDefinition(server);
    registry.refuseTwin(server.name);
    try {
      const tools = await using(server, (connection) => connection.listTools());
      registry.insert(server, tools.map(allowAtFirst));
      return {
        ...show(server.name),
        offered: tools.map((tool) => ({ tool, state: allowAtFirst(tool).use })),
      };
    } catch (error) {
      await end(server.name);
      if (!(error instanceof Failure) || error.code !== 'mcp_login_needed') throw error;
      if (!(await logins.isOffered(server))) throw tokenWanted(server.name);
      registry.insert({ ...server, secrets: { ...server.secrets, login: {} } }, []);
      return { ...show(server.name), offered: [] };
    }
  }

  const beginLogin = async (name: string, wanted: LoginWanted) => logins.begin(registry.find(name), wanted);

  /** Allows, as they are now, the tools of a server that could not be listed until now. */
  async function finishLogin(name: string, answer: LoginAnswer): Promise<InspectedServer> {
    await logins.finish(registry.find(name), answer);
    await end(name);
    const inspected = await inspect(name);
    if (inspected.tools.length > 0) return inspected;
    registry.allow(
      name,
      inspected.offered.map(({ tool }) => allowAtFirst(tool)),
    );
    return inspect(name);
  }

  async function logOut(name: string): Promise<{ wasActive: boolean; isRevoked: boolean }> {
    const ended = await logins.forget(registry.find(name));
    await end(name);
    return ended;
  }

  /** All tools if none is named. Without a use, each keeps its own, and new ones get the default of their kind. */
  async function allow(
    name: string,
    wanted: { tools?: readonly string[]; use?: Use; keyId?: string },
  ): Promise<InspectedServer> {
    const { offered, tools: allowed } = await inspect(name);
    const names = wanted.tools ?? offered.map(({ tool }) => tool.name);
    const unknown = names.find((each) => !offered.some(({ tool }) => tool.name === each));
    if (unknown !== undefined) throw noSuchTool(name, unknown);
    if (wanted.keyId !== undefined) {
      keyTools[wanted.use === 'never' ? 'take' : 'give'](name, wanted.keyId, names);
      return inspect(name);
    }
    const chosen = offered.filter(({ tool }) => names.includes(tool.name));
    const renewed = chosen.map(({ tool }) => ({
      name: tool.name,
      fingerprint: fingerprintOf(tool),
      use: wanted.use ?? allowed.find((each) => each.name === tool.name)?.use ?? allowAtFirst(tool).use,
    }));
    registry.allow(name, [...allowed.filter((each) => !names.includes(each.name)), ...renewed]);
    return inspect(name);
  }

  function check(name: string, keyId: string | null): void {
    if (keyId === null) registry.show(name);
    else if (!keyTools.ofServer(name).some((each) => each.keyId === keyId)) throw notForKey(name);
  }

  /** What a key may use, as the server offers it now. For a key without any of its tools, the server does not exist. */
  async function offeredTo(name: string, keyId: string | null): Promise<OfferedTool[]> {
    check(name, keyId);
    const mayUse = ({ tool }: OfferedTool) => keyTools.mayUse(name, keyId, tool.name);
    const { offered } = await inspect(name);
    return offered.filter((each) => mayUse(each) && (each.state === 'free' || each.state === 'ask'));
  }

  /** Only tools that are still as the owner allowed them; whether to ask first is up to the caller. */
  async function call(
    { server: name, tool, input, by }: ToolCall,
    signal: AbortSignal,
  ): Promise<ToolOutcome> {
    const beganMs = performance.now();
    const note = (outcome: string): void => {
      const durationMs = Math.round(performance.now() - beganMs);
      log.info(
        { request_id: by.requestId, server: name, tool, outcome, ms: durationMs },
        'an MCP tool was called',
      );
      records.add(by, { server: name, tool, outcome, durationMs });
    };
    try {
      if (!keyTools.mayUse(name, by.keyId, tool)) throw notForKey(name);
      const { offered } = await inspect(name);
      refuseUnless(name, tool, offered.find((each) => each.tool.name === tool)?.state);
      const result = await using(registry.find(name), (connection) => connection.call(tool, input, signal));
      note(result.isError ? 'error' : 'ok');
      return result;
    } catch (error) {
      note(toFailure(error).code);
      throw error;
    }
  }

  async function remove(name: string): Promise<void> {
    registry.remove(name);
    await end(name);
  }

  return {
    ...{ add, inspect, allow, check, offeredTo, call, remove, beginLogin, finishLogin, logOut },
    list: () => registry.list().map(withKeys),
    ...{ show, close, pruneCalls: () => records.prune() },
  };
}

type ToolCall = { server: string; tool: string; input: Record<string, unknown>; by: CallOf };

function notForKey(name: string): Failure {
  return new Failure('not_found', `No MCP server named "${name}" can be used with this key.`, {
    details: { fix: `askd mcp add ${name} …, then askd mcp allow ${name} --key KEY` },
  });
}

function refuseUnless(server: string, tool: string, state: ToolState | undefined): void {
  if (state === 'free' || state === 'ask') return;
  if (state === undefined) throw noSuchTool(server, tool);
  const reason = {
    never: 'is not allowed',
    new: 'has not been allowed yet',
    changed: 'has changed since it was allowed',
  }[state];
  throw new Failure('mcp_tool_not_allowed', `The tool "${tool}" of the MCP server "${server}" ${reason}.`, {
    details: { fix: `askd mcp test ${server}, then askd mcp allow ${server} ${tool}` },
  });
}

function noSuchTool(server: string, tool: string): Failure {
  return new Failure('not_found', `The MCP server "${server}" has no tool named "${tool}".`, {
    details: { fix: `askd mcp test ${server}` },
  });
}

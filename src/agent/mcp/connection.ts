import {
  Client,
  InsufficientScopeError,
  StreamableHTTPClientTransport,
  type AuthProvider,
  type Tool,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Failure } from '../../base/errors.ts';
import { version } from '../../base/version.ts';
import { boundedFetch } from './bounded-fetch.ts';
import type { ServerDefinition } from './definition.ts';
import { loginNeeded, tokenWanted } from './login/failures.ts';
import { toOutcome, type ToolOutcome } from './result-text.ts';

const CONNECT_MS_MAX = 30_000;
const PING_MS_MAX = 2000;
const MESSAGE_BYTES_MAX = 4 * 1024 * 1024;
/** For one call; progress and log messages reset it. */
const MESSAGES_MAX = 2000;
const TOOLS_MAX = 128;
const STDERR_CHARACTERS_KEPT = 2000;

export type Connection = Awaited<ReturnType<typeof connect>>;

/** Provides the token for each request, and is told when one is refused or insufficient. */
export type Authorization = AuthProvider & {
  /** Sends requests and remembers the token that they used. */
  watched: (send: typeof fetch) => typeof fetch;
  lacks: (scope: string | undefined) => void;
};

/**
 * One running server. A program gets PATH, HOME, USER, LOGNAME, SHELL and TERM of the daemon's environment, and the
 * variables that the owner set.
 */
export async function connect(
  server: ServerDefinition,
  { callMsMax, authorization }: { callMsMax: number; authorization?: Authorization | undefined },
) {
  const client = new Client({ name: 'askd', version });
  const { transport, lastWords } = openTransport(server, authorization);
  const failed = (cause: unknown) => {
    if (cause instanceof InsufficientScopeError) authorization?.lacks(cause.requiredScope);
    return toFailure(server.name, cause, { lastWords: lastWords(), canLogIn: authorization !== undefined });
  };
  let isOpen = true;
  let messages = 0;
  client.onclose = () => void (isOpen = false);
  // Garbage between messages is no reason to stop a server that still answers.
  client.onerror = () => undefined;
  try {
    await client.connect(transport, { timeout: CONNECT_MS_MAX });
  } catch (cause) {
    await client.close();
    throw failed(cause);
  }
  endFloods(transport, () => (messages += 1) > MESSAGES_MAX);

  async function listTools(): Promise<readonly Tool[]> {
    messages = 0;
    try {
      return (await client.listTools({}, { timeout: CONNECT_MS_MAX })).tools.slice(0, TOOLS_MAX);
    } catch (cause) {
      await endIfSilent();
      throw failed(cause);
    }
  }

  async function call(
    name: string,
    input: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<ToolOutcome> {
    messages = 0;
    try {
      const limits = { timeout: callMsMax, maxTotalTimeout: callMsMax, signal };
      return toOutcome(await client.callTool({ name, arguments: input }, limits));
    } catch (cause) {
      signal.throwIfAborted();
      await endIfSilent();
      throw failed(cause);
    }
  }

  /** The next call restarts a server that hangs; one that only failed keeps running. */
  async function endIfSilent(): Promise<void> {
    if (isOpen) await client.ping({ timeout: PING_MS_MAX }).catch(() => client.close());
  }

  return { listTools, call, close: () => client.close(), isOpen: () => isOpen };
}

function openTransport({ definition, secrets }: ServerDefinition, authorization: Authorization | undefined) {
  if ('url' in definition) {
    const send = boundedFetch(MESSAGE_BYTES_MAX);
    const transport = new StreamableHTTPClientTransport(new URL(definition.url), {
      requestInit: { headers: secrets.headers },
      fetch: authorization?.watched(send) ?? send,
      ...(authorization && { authProvider: authorization }),
    });
    return { transport, lastWords: () => '' };
  }
  const { command, args, cwd } = definition;
  const transport = new StdioClientTransport({
    ...{ command, args: [...args], cwd, env: secrets.env },
    stderr: 'pipe',
    maxBufferSize: MESSAGE_BYTES_MAX,
  });
  let written = '';
  transport.stderr?.on('data', (part: Buffer) => {
    written = (written + part.toString()).slice(-STDERR_CHARACTERS_KEPT);
  });
  return { transport, lastWords: () => written.trim() };
}

function endFloods(transport: Transport, isFlood: () => boolean): void {
  const take = transport.onmessage;
  transport.onmessage = (message, extra) => {
    if (isFlood()) void transport.close();
    else take?.(message, extra);
  };
}

type Circumstances = { lastWords: string; canLogIn: boolean };

function toFailure(name: string, cause: unknown, { lastWords, canLogIn }: Circumstances): Failure {
  if (cause instanceof Failure) return cause;
  if (cause instanceof InsufficientScopeError) return loginNeeded(name, 'requires a login with more rights');
  const { message, status } = cause as Error & { status?: number };
  if (status === 401 || status === 403 || (cause as Error).name === 'UnauthorizedError')
    return canLogIn ? loginNeeded(name, 'rejects askd') : tokenWanted(name);
  const last = lastWords.split('\n').at(-1) ?? '';
  return new Failure(
    'mcp_server_failed',
    `The MCP server "${name}" failed: ${message}${last && `. It wrote: ${last}`}`,
    {
      cause,
      details: { fix: `askd mcp test ${name}` },
    },
  );
}

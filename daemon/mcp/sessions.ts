import {
  legacyStatelessFallback,
  WebStandardStreamableHTTPServerTransport,
  isInitializeRequest,
  type McpHandlerRequestOptions,
  type Server,
} from '@modelcontextprotocol/server';
import { SESSION_HEADER } from '../../src/api/tasks/mcp.ts';
import type { Clock } from '../../src/base/clock.ts';
import { newId } from '../../src/base/ids.ts';

const SESSIONS_MAX = 256;
const IDLE_MS_MAX = 60 * 60_000;

type Session = { transport: WebStandardStreamableHTTPServerTransport; owner: string; usedAt: number };

/**
 * Clients that use the protocol from before July 2026 open a session, so that a later message can cancel an earlier
 * one. A client without a session is served all the same.
 */
export function createSessions({ clock, createServer }: { clock: Clock; createServer: () => Server }) {
  const sessions = new Map<string, Session>();
  const withoutSession = legacyStatelessFallback(createServer);

  async function open(owner: string): Promise<WebStandardStreamableHTTPServerTransport> {
    makeRoom();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => newId('mcp'),
      onsessioninitialized: (id) => void sessions.set(id, { transport, owner, usedAt: clock.now() }),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await createServer().connect(transport);
    return transport;
  }

  /** The least recently used session is dropped, and its client opens another. */
  function makeRoom(): void {
    const latestFirst = [...sessions].sort(([, one], [, other]) => other.usedAt - one.usedAt);
    const leaving = latestFirst.filter(
      ([, { usedAt }], index) => index >= SESSIONS_MAX - 1 || clock.now() - usedAt > IDLE_MS_MAX,
    );
    for (const [id, { transport }] of leaving) {
      sessions.delete(id);
      void transport.close();
    }
  }

  async function serve(request: Request, options: Required<McpHandlerRequestOptions>): Promise<Response> {
    const { authInfo, parsedBody } = options;
    const id = request.headers.get(SESSION_HEADER);
    if (id !== null) {
      const session = sessions.get(id);
      if (session?.owner !== authInfo.clientId) return sessionEnded();
      session.usedAt = clock.now();
      return session.transport.handleRequest(request, options);
    }
    if (request.method === 'DELETE') return sessionEnded();
    if (!isInitializeRequest(parsedBody)) return withoutSession(request, options);
    return (await open(authInfo.clientId)).handleRequest(request, options);
  }

  return { serve };
}

/** By the protocol, the client then opens another. */
function sessionEnded(): Response {
  const error = { code: -32001, message: 'This session has ended. Initialize another.' };
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 404 });
}

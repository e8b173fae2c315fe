import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { endMcpSession, postMcp } from '../../../src/api/tasks/mcp.ts';
import { bearerToken } from '../../auth/authenticate.ts';
import type { Services } from '../../compose.ts';
import type { Call, RegisterRoute } from '../../http/register-route.ts';
import type { McpHandler } from '../../mcp/handler.ts';

/** The path does not matter to the protocol. */
const URL_OF_ANY = 'http://localhost/mcp';

type McpCall = Pick<Call<typeof postMcp>, 'request' | 'reply' | 'principal' | 'client'>;

export function registerMcp(register: RegisterRoute, services: Services): void {
  let handler: Promise<McpHandler> | undefined;
  /** The SDK is loaded with the first client. */
  const open = () =>
    (handler ??= import('../../mcp/handler.ts').then(({ openMcpHandler }) => openMcpHandler(services)));

  async function answer({ request, reply, principal, client }: McpCall): Promise<NodeJS.ReadableStream> {
    const serve = await open();
    const message = new Request(URL_OF_ANY, {
      method: request.method,
      headers: headersOf(request.headers),
      signal: client,
    });
    const authInfo = {
      token: bearerToken(request) ?? '',
      clientId: principal.keyId ?? principal.accountId,
      scopes: [...principal.scopes],
      extra: { client },
    };
    return send(reply, await serve(message, { authInfo, parsedBody: request.body }));
  }

  register(postMcp, answer);
  register(endMcpSession, answer);
}

function headersOf(headers: McpCall['request']['headers']): Headers {
  const copy = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const each of [value].flat()) if (each !== undefined) copy.append(name, each);
  }
  return copy;
}

function send(reply: FastifyReply, { status, headers, body }: Response): NodeJS.ReadableStream {
  void reply.status(status).headers(Object.fromEntries(headers));
  return body === null ? Readable.from([]) : Readable.fromWeb(body);
}

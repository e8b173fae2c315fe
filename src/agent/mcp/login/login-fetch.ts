import type { FetchLike } from '@modelcontextprotocol/client';
import { OutboundError } from '../../../net/outbound-error.ts';
import type { AgentOutbound } from '../../outbound.ts';
import { loginFailed } from './failures.ts';

const BODY_BYTES_MAX = 64 * 1024;
const NO_BODY = [204, 205, 304];
/** askd is an MCP server too, but offers no login. */
const OWN_DAEMON = { status: 404, headers: {}, body: Buffer.alloc(0), isComplete: true };

export type LoginFetch = { fetch: FetchLike; isPrivate: () => boolean };

type Server = { name: string; url: string; isPrivate?: boolean };
type Way = { outbound: AgentOutbound; answerMsMax: number };

/**
 * Requests to an authorization server: TLS except on this machine, bounded, and to private networks only for an MCP
 * server that is on one itself. Which network it is on shows when it answers, and TLS proves that the server itself
 * answered.
 */
export function createLoginFetch({ outbound, answerMsMax }: Way, server: Server): LoginFetch {
  const { origin } = new URL(server.url);
  let isPrivate = server.isPrivate ?? false;

  async function send(url: URL, init: RequestInit) {
    const wanted = {
      url: url.href,
      method: init.method === 'POST' ? ('POST' as const) : ('GET' as const),
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(init.body != null && { body: Buffer.from(await new Response(init.body).arrayBuffer()) }),
      timeoutMs: answerMsMax,
      bodyBytesMax: BODY_BYTES_MAX,
    };
    if (isPrivate) return outbound.request({ ...wanted, trusted: url.origin });
    try {
      return await outbound.request(wanted);
    } catch (error) {
      if (url.origin !== origin || !isRefused(error)) throw error;
    }
    try {
      const answer = await outbound.request({ ...wanted, trusted: origin });
      isPrivate = true;
      return answer;
    } catch (error) {
      if (isRefused(error)) return OWN_DAEMON;
      throw error;
    }
  }

  async function fetch(input: string | URL, init: RequestInit = {}): Promise<Response> {
    const url = new URL(input);
    if (!isSafe(url)) throw loginFailed(server.name, `${url.origin} does not use TLS`);
    const { status, headers, body, isComplete } = await send(url, init).catch((error: unknown) => {
      throw loginFailed(server.name, `${url.origin}: ${(error as Error).message}`);
    });
    if (!isComplete)
      throw loginFailed(server.name, `the response of ${url.origin} is too long or never ends`);
    const kept = Object.entries(headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((each): [string, string] => [name, each]),
    );
    return new Response(NO_BODY.includes(status) ? null : new Uint8Array(body), { status, headers: kept });
  }

  return { fetch, isPrivate: () => isPrivate };
}

/** The browser may be sent to it, and so may a secret. */
export function isSafe({ protocol, hostname }: URL): boolean {
  if (protocol === 'https:') return true;
  return protocol === 'http:' && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

function isRefused(error: unknown): boolean {
  return error instanceof OutboundError && ['url_refused', 'address_refused'].includes(error.kind);
}

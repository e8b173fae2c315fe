import { Agent, EnvHttpProxyAgent, request, type Dispatcher } from 'undici';
import { version } from '../../version.ts';
import { Interrupted } from './interrupted.ts';

const HOPS_MAX = 6;
const REDIRECTS = [301, 302, 303, 307, 308];

export type HubAccess = {
  endpoint: string;
  token: string | undefined;
  proxy: { httpProxy: string; httpsProxy: string; noProxy: string };
  /** How long a connection may be silent. */
  stallMs: number;
};

export type Answer = Dispatcher.ResponseData;

export type Asking = {
  method?: 'GET' | 'HEAD';
  headers?: Record<string, string>;
  signal: AbortSignal;
  /** Stop at a redirect that leaves the hub: what it says of the file is in its own headers. */
  stayAtHub?: boolean;
};

export type Exchange = ReturnType<typeof createExchange>;

/** Requests to the hub and to where it sends us. The token goes to the hub's own origin and nowhere else. */
export function createExchange({ endpoint, token, proxy, stallMs }: HubAccess) {
  const timeouts = { headersTimeout: stallMs, bodyTimeout: stallMs, connect: { timeout: stallMs } };
  const isProxied = proxy.httpProxy !== '' || proxy.httpsProxy !== '';
  const dispatcher: Dispatcher = isProxied
    ? new EnvHttpProxyAgent({ ...proxy, ...timeouts })
    : new Agent(timeouts);
  const home = new URL(endpoint).origin;

  async function once(url: URL, { method = 'GET', headers = {}, signal }: Asking): Promise<Answer> {
    const ownHeaders = {
      'user-agent': `askd/${version}`,
      'accept-encoding': 'identity',
      ...headers,
      ...(token !== undefined && url.origin === home && { authorization: `Bearer ${token}` }),
    };
    try {
      return await request(url, { method, headers: ownHeaders, dispatcher, signal });
    } catch (cause) {
      signal.throwIfAborted();
      throw new Interrupted(`${url.host}: ${plainReason(cause)}`, { cause });
    }
  }

  return {
    /** Follows redirects by hand; `url` says where the answer came from. */
    async ask(address: string, asking: Asking): Promise<{ answer: Answer; url: string }> {
      let url = new URL(address);
      for (let hop = 0; hop < HOPS_MAX; hop++) {
        const answer = await once(url, asking);
        const location = headerOf(answer, 'location');
        if (!REDIRECTS.includes(answer.statusCode) || location === undefined)
          return { answer, url: url.href };
        const next = new URL(location, url);
        if (asking.stayAtHub && next.origin !== home) return { answer, url: url.href };
        await answer.body.dump();
        url = next;
      }
      throw new Interrupted(`${new URL(address).host} redirects without end`);
    },
    close: () => dispatcher.destroy(),
  };
}

export function headerOf({ headers }: Pick<Answer, 'headers'>, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection broke off',
  UND_ERR_SOCKET: 'the connection broke off',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be looked up',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer',
  UND_ERR_HEADERS_TIMEOUT: 'it does not answer',
  UND_ERR_BODY_TIMEOUT: 'it went silent',
};

export function plainReason(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return REASONS[code] ?? message;
}

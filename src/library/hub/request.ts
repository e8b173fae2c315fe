import type { Dispatcher, request } from 'undici';
import { version } from '../../base/version.ts';
import { Failure } from '../../base/errors.ts';
import { Interrupted } from './interrupted.ts';
import { createDirectDownload, type ByteRange } from './direct-download.ts';

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
  /** Stops at a redirect that leaves the hub: the metadata is in the hub's own headers. */
  stayAtHub?: boolean;
};

export type HubRequests = ReturnType<typeof createHubRequests>;

/** Requests to the hub and to its redirect targets. The token goes to the hub's own origin only. */
export function createHubRequests({ endpoint, token, proxy, stallMs }: HubAccess) {
  const timeouts = { headersTimeout: stallMs, bodyTimeout: stallMs, connect: { timeout: stallMs } };
  const isProxied = proxy.httpProxy !== '' || proxy.httpsProxy !== '';
  let opened: Promise<{ request: typeof request; dispatcher: Dispatcher }> | undefined;

  /** Imported lazily: loading it takes longer than a small download. */
  function open() {
    return (opened ??= import('undici').then(({ Agent, EnvHttpProxyAgent, request }) => ({
      request,
      dispatcher: isProxied ? new EnvHttpProxyAgent({ ...proxy, ...timeouts }) : new Agent(timeouts),
    })));
  }

  const home = new URL(endpoint).origin;

  const direct = isProxied ? undefined : createDirectDownload();

  function headersFor(url: URL, { headers = {} }: Asking): Record<string, string> {
    return {
      'user-agent': `askd/${version}`,
      'accept-encoding': 'identity',
      ...headers,
      ...(token !== undefined && url.origin === home && { authorization: `Bearer ${token}` }),
    };
  }

  async function once(url: URL, asking: Asking): Promise<Answer> {
    const { method = 'GET', signal } = asking;
    try {
      const { request, dispatcher } = await open();
      return await request(url, { method, headers: headersFor(url, asking), dispatcher, signal });
    } catch (cause) {
      signal.throwIfAborted();
      throw new Interrupted(`${url.host}: ${plainReason(cause)}`, { cause });
    }
  }

  async function onceDirect(url: URL, asking: Asking): Promise<ByteRange> {
    const { signal } = asking;
    try {
      const range = await direct?.get(url, headersFor(url, asking), signal);
      if (range) return range;
    } catch (cause) {
      signal.throwIfAborted();
      throw new Interrupted(`${url.host}: ${plainReason(cause)}`, { cause });
    }
    return asByteRange(await once(url, asking));
  }

  /** Follows redirects manually; `url` says where the response came from. */
  async function follow<Got extends Pick<Answer, 'statusCode' | 'headers'>>(
    address: string,
    asking: Asking,
    { get, drop }: { get: (url: URL, asking: Asking) => Promise<Got>; drop: (answer: Got) => unknown },
  ): Promise<{ answer: Got; url: string }> {
    let url = new URL(address);
    for (let hop = 0; hop < HOPS_MAX; hop++) {
      const answer = await get(url, asking);
      const location = headerOf(answer, 'location');
      if (!REDIRECTS.includes(answer.statusCode) || location === undefined) return { answer, url: url.href };
      const next = redirectTarget(url, location);
      if (asking.stayAtHub && next.origin !== home) return { answer, url: url.href };
      await drop(answer);
      url = next;
    }
    throw new Interrupted(`${new URL(address).host} redirects too often`);
  }

  return {
    ask: (address: string, asking: Asking) =>
      follow(address, asking, { get: once, drop: (answer) => answer.body.dump() }),

    /** For large responses: their bodies are streamed. */
    fetch: (address: string, asking: Omit<Asking, 'method'>) =>
      follow(address, asking, { get: onceDirect, drop: (range) => range.drop() }),

    async close(): Promise<void> {
      direct?.close();
      await (await opened)?.dispatcher.destroy();
    },
  };
}

/** An encrypted connection stays encrypted: an eavesdropper must not choose what is downloaded. */
export function redirectTarget(from: URL, location: string): URL {
  const target = new URL(location, from);
  if (from.protocol !== 'https:' || target.protocol === 'https:') return target;
  throw new Failure(
    'hub_unreachable',
    `${from.host} redirects from https to ${target.protocol.slice(0, -1)}, which is not followed.`,
  );
}

function asByteRange({ statusCode, headers, body }: Answer): ByteRange {
  return {
    statusCode,
    headers,
    /** Costs half as much as an async iterator, which creates a promise per chunk. */
    pour: (take) =>
      new Promise((resolve, reject) => {
        body.on('error', reject).on('end', resolve);
        body.on('close', () => reject(new Interrupted('the connection was lost')));
        body.on('data', (piece: Buffer) => {
          try {
            take(piece);
          } catch (error) {
            body.destroy(error as Error);
          }
        });
      }),
    drop: () => void body.on('error', () => undefined).destroy(),
  };
}

export function headerOf({ headers }: Pick<Answer, 'headers'>, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'nothing is listening there',
  ECONNRESET: 'the connection was lost',
  UND_ERR_SOCKET: 'the connection was lost',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be looked up',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer',
  UND_ERR_HEADERS_TIMEOUT: 'it does not answer',
  UND_ERR_BODY_TIMEOUT: 'it stopped sending data',
};

export function plainReason(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return REASONS[code] ?? message;
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Failure } from '../../../../src/base/errors.ts';

/** Where the authorization server sends the browser back. */
const PATH = '/callback';

export type Receiver = Awaited<ReturnType<typeof openReceiver>>;
export type Returned = { query: URLSearchParams; show: (text: string) => void };

/** Listens on this machine for the one browser that returns with an answer; anything else is turned away. */
export async function openReceiver({ port = 0 }: { port?: number | undefined }) {
  const waiting = new Map<string, (returned: Returned) => void>();
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    const query = queryOf(request);
    const take = query && waiting.get(query.get('state') ?? '');
    if (query === undefined || take === undefined) {
      show(response, 400, 'This is not an answer to a login that askd is waiting for.');
      return;
    }
    waiting.clear();
    take({ query, show: (text) => show(response, 200, text) });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((cause: unknown) => {
    throw new Failure('address_in_use', `Port ${port} cannot be used: ${(cause as Error).message}.`, {
      cause,
    });
  });
  const { port: bound } = server.address() as AddressInfo;

  return {
    address: `http://127.0.0.1:${bound}${PATH}`,

    /** The first answer with this state. */
    answer: (state: string, signal: AbortSignal): Promise<Returned> =>
      new Promise((resolve, reject) => {
        const onAbort = () => reject(signal.reason as Error);
        signal.addEventListener('abort', onAbort, { once: true });
        waiting.set(state, resolve);
        if (signal.aborted) onAbort();
      }),

    async close(): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      // The page may still be on its way to the browser.
      const timer = setTimeout(() => server.closeAllConnections(), 1000);
      await closed;
      clearTimeout(timer);
    },
  };
}

/** A different host name in the request means a page that pretends to be this machine. */
function queryOf({
  method,
  url = '/',
  headers: { host = '' },
}: IncomingMessage): URLSearchParams | undefined {
  if (method !== 'GET' || !/^127\.0\.0\.1:\d+$/.test(host) || !URL.canParse(url, 'http://127.0.0.1'))
    return undefined;
  const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
  return pathname === PATH ? searchParams : undefined;
}

function show(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      connection: 'close',
    })
    .end(`${text}\n`);
}

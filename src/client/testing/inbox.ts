import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook } from '../webhook.ts';

export type WebhookEvent = { type: string; timestamp: string; data: Record<string, unknown> };
export type Inbox = Awaited<ReturnType<typeof openInbox>>;

type Waiter = { type: string | undefined; take: (event: WebhookEvent) => void };

const WAIT_MS = 10_000;

/** A local receiver of webhooks. Requests without a valid signature get a 400 and are ignored. */
export async function openInbox(subscribe: (url: string) => Promise<{ secret: string }>) {
  const all: WebhookEvent[] = [];
  const untaken: WebhookEvent[] = [];
  const waiting = new Set<Waiter>();
  const server = createServer((request, response) => void receive(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  const { secret } = await subscribe(url).catch((error: unknown) => {
    server.close();
    throw error;
  });

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const body = Buffer.concat((await request.toArray()) as Buffer[]);
      deliver((await verifyWebhook({ body, headers: request.headers, secret })) as WebhookEvent);
      response.writeHead(204).end();
    } catch {
      response.writeHead(400).end();
    }
  }

  function deliver(event: WebhookEvent): void {
    all.push(event);
    const waiter = [...waiting].find(({ type }) => type === undefined || type === event.type);
    if (waiter) waiter.take(event);
    else untaken.push(event);
  }

  /** The next event of this type that no earlier call has returned. */
  function next(type?: string, { timeoutMs = WAIT_MS } = {}): Promise<WebhookEvent> {
    const index = untaken.findIndex((event) => type === undefined || event.type === type);
    const [known] = index < 0 ? [] : untaken.splice(index, 1);
    if (known) return Promise.resolve(known);
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { type, take: (event) => end(() => resolve(event)) };
      const timer = setTimeout(() => end(() => reject(noneCame(type, timeoutMs, all))), timeoutMs);
      const end = (answer: () => void) => {
        clearTimeout(timer);
        waiting.delete(waiter);
        answer();
      };
      waiting.add(waiter);
    });
  }

  function close(): void {
    server.close();
    server.closeAllConnections();
  }

  return { url, secret, all: (): WebhookEvent[] => [...all], next, close };
}

function noneCame(type: string | undefined, timeoutMs: number, all: readonly WebhookEvent[]): Error {
  const came =
    all.length === 0 ? 'None came at all.' : `These came: ${all.map((each) => each.type).join(', ')}`;
  return new Error(`No webhook ${type ?? ''} came within ${timeoutMs / 1000} s. ${came}`);
}

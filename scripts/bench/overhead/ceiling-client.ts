import { setMaxListeners } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { Agent, request } from 'undici';

export type Order =
  | { what: 'streams'; count: number; message: string }
  | { what: 'completions'; count: number; atOnce: number }
  | { what: 'hold'; count: number }
  | { what: 'release' };

const { baseUrl, key } = workerData as { baseUrl: string; key: string };
const dispatcher = new Agent({ pipelining: 1, connections: 2_000, headersTimeout: 0, bodyTimeout: 0 });
const CONTENT = Buffer.from('"content":"');
let held = abortable();

parentPort?.on('message', (order: Order) => {
  void carryOut(order).then((value) => parentPort?.postMessage(value));
});

async function carryOut(order: Order): Promise<number> {
  switch (order.what) {
    case 'streams':
      return perSecond(async () => {
        const counts = await Promise.all(
          Array.from({ length: order.count }, () => readStream(order.message)),
        );
        return counts.reduce((sum, count) => sum + count, 0);
      });
    case 'completions':
      return perSecond(async () => {
        let left = order.count;
        const work = async () => {
          while (left-- > 0) await complete();
        };
        await Promise.all(Array.from({ length: order.atOnce }, work));
        return order.count;
      });
    case 'hold':
      for (let index = 0; index < order.count; index++) hold();
      return order.count;
    case 'release':
      held.abort();
      held = abortable();
      return 0;
  }
}

/** All held streams listen to one signal. */
function abortable(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

async function perSecond(work: () => Promise<number>): Promise<number> {
  const from = performance.now();
  const count = await work();
  return (count * 1000) / (performance.now() - from);
}

function send(body: object, headers: Record<string, string> = {}, signal?: AbortSignal) {
  return request(`${baseUrl}/chat/completions`, {
    ...{
      method: 'POST',
      dispatcher,
      body: JSON.stringify({ model: 'scripted', ...body }),
      signal: signal ?? null,
    },
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
  });
}

async function complete(): Promise<void> {
  const { statusCode, body } = await send({ messages: [{ role: 'user', content: 'short' }] });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${statusCode} ${text}`);
}

/** How many texts the stream had: all deltas of content but the first, which is empty. */
async function readStream(content: string): Promise<number> {
  const { statusCode, body } = await send({ stream: true, messages: [{ role: 'user', content }] });
  if (statusCode !== 200) throw new Error(`${statusCode} ${await body.text()}`);
  let count = -1;
  for await (const chunk of body as AsyncIterable<Buffer>)
    for (let at = chunk.indexOf(CONTENT); at >= 0; at = chunk.indexOf(CONTENT, at + CONTENT.length))
      count += 1;
  return count;
}

/** Nobody waits for these: what has no slot yet has no headers either. */
function hold(): void {
  const body = { stream: true, messages: [{ role: 'user', content: 'long' }] };
  void send(body, { 'x-askd-simulate': 'token-delay=1h' }, held.signal)
    .then(({ body: answer }) => answer.dump())
    .catch(() => undefined);
}

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Order } from './ceiling-client.ts';

export type Client = ReturnType<typeof startClient>;

/** A client in a thread of its own, so that it does not wait for what measures it. */
export function startClient(baseUrl: string, key: string) {
  const worker = new Worker(new URL('ceiling-client.js', import.meta.url), { workerData: { baseUrl, key } });
  const ask = async (order: Order): Promise<number> => {
    worker.postMessage(order);
    const [value] = (await once(worker, 'message')) as [number];
    return value;
  };
  return {
    /** Tokens a second of so many streams that begin together. */
    streams: (count: number, message: string) => ask({ what: 'streams', count, message }),
    /** Answers a second, so many at once. */
    completions: (count: number, atOnce: number) => ask({ what: 'completions', count, atOnce }),
    /** Streams that stay open until they are ended. */
    async hold(count: number) {
      await ask({ what: 'hold', count });
      return async () => void (await ask({ what: 'release' }));
    },
    [Symbol.asyncDispose]: async () => void (await worker.terminate()),
  };
}

/** Routes that send the same bytes and do nothing else, in a thread of their own. */
export async function startPeer(words: number) {
  const worker = new Worker(new URL('ceiling-peer.js', import.meta.url), { workerData: { words } });
  const [origin] = (await once(worker, 'message')) as [string];
  return { baseUrl: `${origin}/v1`, [Symbol.asyncDispose]: async () => void (await worker.terminate()) };
}

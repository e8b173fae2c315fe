import { setTimeout as pause } from 'node:timers/promises';
import { openPart, recordChat, subscribe, type Part } from './part.ts';
import { startReceiver } from './receiver.ts';

const BODY = Buffer.from(
  JSON.stringify({ type: 'chat.started', timestamp: '', data: { request_id: 'x'.repeat(120) } }),
);

/** Deliveries per second, compared with bare requests of the same kind. */
export async function measureDeliveries(fanOut: number, count: number) {
  await using receiver = await startReceiver();
  await using part = openPart(receiver.ca);
  for (let index = 0; index < fanOut; index++) await subscribe(part, receiver.url);
  const concurrency = fanOut === 1 ? 8 : 56;
  await bare(part, receiver.url, { count: 200, concurrency });
  const barePerSecond = await bare(part, receiver.url, { count, concurrency });
  for (let index = 0; index < Math.ceil(count / fanOut / 2); index++) recordChat(part);
  const startedAt = performance.now();
  const usedBefore = process.cpuUsage();
  part.worker.start();
  while (owed(part) > 0) await pause(20);
  const delivered = part.store.prepare<{ n: number }>(DELIVERED).get()?.n ?? 0;
  if (delivered < count) throw new Error(`Of ${count} deliveries, ${delivered} arrived`);
  const perSecond = (delivered * 1000) / (performance.now() - startedAt);
  const { user, system } = process.cpuUsage(usedBefore);
  return { perSecond, barePerSecond, processorMs: (user + system) / 1000 / delivered };
}

const DELIVERED = `SELECT count(*) AS n FROM webhook_deliveries WHERE state = 'delivered'`;

/** Also counts events that are recorded and not yet deliveries. */
function owed({ store, log }: Part): number {
  const behind = store.prepare<{ n: number }>(BEHIND).get()?.n ?? 0;
  return behind + log.countPending();
}

const BEHIND = 'SELECT count(*) AS n FROM events WHERE sequence > (SELECT cursor FROM webhook_progress)';

async function bare(
  { outbound }: Part,
  url: string,
  { count, concurrency }: { count: number; concurrency: number },
) {
  let left = count;
  const startedAt = performance.now();
  const one = async (): Promise<void> => {
    while (left-- > 0) {
      const headers = { 'content-type': 'application/json' };
      await outbound.request({
        url,
        method: 'POST',
        headers,
        body: BODY,
        timeoutMs: 15_000,
        bodyBytesMax: 1024,
      });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, one));
  return (count * 1000) / (performance.now() - startedAt);
}

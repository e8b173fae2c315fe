import { onTestFinished } from 'vitest';
import type { Clock } from '../../../src/base/clock.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { createEvents } from '../../../src/events/events.ts';
import { createGuard } from '../../../src/net/guard.ts';
import { createOutbound } from '../../../src/net/outbound.ts';
import { openSeal } from '../../../src/base/sealed.ts';
import { openStore } from '../../../src/store/store.ts';
import type { Disabled } from '../../../src/webhooks/queue.ts';
import { createWebhooks } from '../../../src/webhooks/webhooks.ts';
import { openReceiver, type Receiver } from './receiver.ts';
import { temporaryFolder } from '../temporary.ts';

export const ACCOUNT = 'acct_local';

type Options = {
  clock?: Clock;
  waitsMs?: readonly number[];
  ca?: string;
  allowCidrs?: readonly string[];
  path?: string;
};

/** The webhook part over a real database and the real outbound HTTP, with loopback allowed. */
export function openWebhooks(options: Options = {}) {
  const {
    clock = systemClock,
    waitsMs = [50, 50, 50],
    ca,
    allowCidrs = ['127.0.0.0/8'],
    path = ':memory:',
  } = options;
  const store = openStore(path);
  const events = createEvents({ store, clock });
  const guard = createGuard({ allowCidrs });
  const disabled: Disabled[] = [];
  const bugs: unknown[] = [];
  const webhooks = createWebhooks({
    store,
    events,
    seal: openSeal(`${temporaryFolder()}/seal-key`),
    guard,
    outbound: createOutbound({ guard, extraCa: ca }),
    clock,
    waitsMs,
    onDisabled: (each) => disabled.push(each),
    onBug: (error) => bugs.push(error),
  });
  onTestFinished(async () => {
    await webhooks.worker.stop();
    store.close();
  });
  const record = (name = 'x'): string =>
    store.transaction(() => events.record('api_key.deleted', { id: 'key_1', name, key_prefix: 'ask_1234' }));
  const add = async (url: string, types: readonly string[] = ['api_key.deleted']) =>
    webhooks.endpoints.create({ accountId: ACCOUNT, name: 'receiver', url, events: types });
  const states = (id: string) => webhooks.log.list(id, { limit: 100 }).deliveries.map(({ state }) => state);
  return { ...webhooks, store, events, disabled, bugs, record, add, states };
}

export async function receiver(options: Parameters<typeof openReceiver>[0] = {}): Promise<Receiver> {
  const opened = await openReceiver(options);
  onTestFinished(opened.close);
  return opened;
}

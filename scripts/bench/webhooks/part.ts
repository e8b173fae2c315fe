import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../src/base/clock.ts';
import { createEvents } from '../../../src/events/events.ts';
import { createGuard } from '../../../src/net/guard.ts';
import { createOutbound } from '../../../src/net/outbound.ts';
import { openSeal } from '../../../src/base/sealed.ts';
import { openStore } from '../../../src/store/store.ts';
import { createWebhooks } from '../../../src/webhooks/webhooks.ts';

/** The webhook part of the product in this process, over its own database file. */
export function openPart(ca: string) {
  const folder = mkdtempSync(join(tmpdir(), 'askd-bench-'));
  const store = openStore(join(folder, 'askd.db'));
  const events = createEvents({ store, clock: systemClock });
  const guard = createGuard({ allowCidrs: ['127.0.0.0/8'] });
  const outbound = createOutbound({ guard, extraCa: ca });
  const webhooks = createWebhooks({
    store,
    events,
    guard,
    outbound,
    seal: openSeal(join(folder, 'seal-key')),
    clock: systemClock,
    waitsMs: [1_000, 1_000, 1_000],
    onDisabled: ({ name }) => console.error(`${name} was disabled`),
    onBug: (error) => console.error(error),
  });
  const close = async (): Promise<void> => {
    await webhooks.worker.stop();
    store.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...webhooks, store, events, outbound, [Symbol.asyncDispose]: close };
}

export type Part = ReturnType<typeof openPart>;

const ACCOUNT = 'acct_bench';

export const subscribe = ({ endpoints }: Part, url: string) =>
  endpoints.create({
    accountId: ACCOUNT,
    name: 'bench',
    url,
    events: ['chat.started', 'chat.completed'],
  });

/** What a chat request records: two transactions, one at its start and one at its end. */
export function recordChat({ store, events }: Part): void {
  const base = { request_id: 'req_01JBENCH000000000000000000', model: 'svc-chat-v1' };
  store.transaction(() => events.record('chat.started', { ...base, stream: true }, ACCOUNT));
  store.transaction(() =>
    events.record(
      'chat.completed',
      {
        ...base,
        outcome: 'finished',
        finish_reason: 'stop',
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
        cost: 0.000001,
      },
      ACCOUNT,
    ),
  );
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

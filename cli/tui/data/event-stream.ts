import { setTimeout as sleep } from 'node:timers/promises';
import { anySignal } from '../../../src/base/any-signal.ts';
import type { DaemonEvent } from '../../../src/api/management/events.ts';
import type { Client } from '../../client/client.ts';
import { reportFailure } from '../../output/failure-report.ts';
import type { Store } from '../state/store.ts';

const WAITS_MS = [250, 500, 1000, 2000, 4000];
const REPLAYED = 100;

export type EventStreamOptions = {
  store: Store;
  /** Finds the daemon each time: after a restart its address may have changed. */
  connect: () => Promise<Client>;
  onClient: (client: Client) => void;
  signal: AbortSignal;
};

/** Subscribes to the daemon's events until the signal; after a disconnect it resumes after the last event. */
export function startEventStream({ store, connect, onClient, signal }: EventStreamOptions) {
  let lastEventId: string | undefined;
  let tries = 0;
  let hurry = new AbortController();

  async function listen(): Promise<void> {
    const client = await connect();
    const query = lastEventId === undefined ? { replay: REPLAYED } : { lastEventId };
    let isFirst = true;
    for await (const { data, id } of client.events(query, { signal })) {
      if (isFirst) onClient(client);
      isFirst = false;
      tries = 0;
      lastEventId = id ?? lastEventId;
      const event = JSON.parse(data) as DaemonEvent;
      if (!isProgress(event)) store.dispatch({ type: 'event', event, now: Date.now() });
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const reason = await listen().then(
        () => 'The daemon closed the connection.',
        (error: unknown) => reasonOf(error),
      );
      if (signal.aborted) return;
      const waitMs = WAITS_MS[Math.min(tries, WAITS_MS.length - 1)] ?? 0;
      tries += 1;
      const now = Date.now();
      store.dispatch({
        type: 'connection',
        connection: { kind: 'lost', reason, retryAt: now + waitMs },
        now,
      });
      hurry = new AbortController();
      await sleep(waitMs, undefined, { signal: anySignal(signal, hurry.signal) }).catch(() => undefined);
    }
  }

  return { ended: run(), retryNow: () => hurry.abort() };
}

/** No screen shows the progress of a batch, only that it has ended. */
function isProgress(event: DaemonEvent): boolean {
  return event.topic === 'batch' && event.type === 'batch.progress';
}

export function reasonOf(error: unknown): string {
  const { lines } = reportFailure(error, { verbose: false });
  return lines.map((each) => each.replace(/^error: /, '')).join('  ');
}

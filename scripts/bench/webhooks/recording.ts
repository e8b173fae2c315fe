import { setTimeout as pause } from 'node:timers/promises';
import { median, openPart, recordChat, subscribe } from './part.ts';
import { startReceiver } from './receiver.ts';

/** Between two requests of one client, while the deliveries of the previous one are in flight. */
const PAUSE_MS = 5;

/** The same two transactions with and without a subscribed webhook, in turn, so that other load affects both. */
export async function measureRecording(chats: number) {
  await using receiver = await startReceiver();
  await using quiet = openPart(receiver.ca);
  await using received = openPart(receiver.ca);
  await subscribe(received, receiver.url);
  quiet.worker.start();
  received.worker.start();
  const times: Record<'quiet' | 'received', number[]> = { quiet: [], received: [] };
  for (let index = 0; index < chats; index++) {
    for (const [name, part] of index % 2
      ? ([
          ['quiet', quiet],
          ['received', received],
        ] as const)
      : ([
          ['received', received],
          ['quiet', quiet],
        ] as const)) {
      const startedAt = performance.now();
      recordChat(part);
      times[name].push(performance.now() - startedAt);
      await pause(PAUSE_MS);
    }
  }
  const startedAt = performance.now();
  for (let index = 0; index < chats; index++) recordChat(received);
  const eventsPerSecond = (2 * chats * 1000) / (performance.now() - startedAt);
  const [without, withWebhook] = [median(times.quiet), median(times.received)];
  return { without, withWebhook, addedMs: withWebhook - without, eventsPerSecond };
}

import { anySignal } from '../../../src/base/any-signal.ts';
import { TOPICS, watchEvents, type DaemonEvent } from '../../../src/api/management/events.ts';
import { Failure } from '../../../src/base/errors.ts';
import type { Download } from '../../../src/library/download/downloads.ts';
import type { Services } from '../../compose.ts';
import {
  cursorBefore,
  follow,
  readCursor,
  writeCursor,
  type Cursor,
  type EventStreamItem,
} from '../../status/event-stream.ts';
import { toPull } from '../../status/library-records.ts';
import type { RegisterRoute } from '../../http/register-route.ts';
import { PING, sendEvents } from '../../http/sse.ts';
import { describeStatus } from '../../status/status.ts';

export function registerEvents(register: RegisterRoute, services: Services): void {
  const { boot, stopping, downloads, agent, activity, log } = services;

  register(watchEvents, async ({ query, principal, client, request, reply }) => {
    const ended = anySignal(client, boot.stopRequested, stopping.signal);
    const status = (): DaemonEvent => ({
      topic: 'status',
      status: describeStatus(services, principal.accountId, boot.watching()),
      activity: activity.current(),
      pulls: downloads.list().filter(isUnderWay).map(toPull),
      agent: agent.activity(),
    });
    const { topics = TOPICS, replay = 0 } = query;
    const from = givenCursor(request.headers['last-event-id']) ?? cursorBefore(services, replay);
    return sendEvents({
      reply,
      blocks: toBlocks(boot.whileWatching(follow(services, { topics, from, status }, ended))),
      onFailure: ({ code }) => log.debug({ code }, 'the event stream failed'),
    });
  });
}

function isUnderWay({ state }: Download): boolean {
  return state === 'queued' || state === 'downloading' || state === 'paused';
}

function givenCursor(header: string | string[] | undefined): Cursor | undefined {
  if (header === undefined || header === '') return undefined;
  const cursor = readCursor(String(header));
  if (cursor) return cursor;
  throw new Failure('invalid_value', 'Last-Event-ID is not an id of this stream.');
}

async function* toBlocks(items: AsyncIterable<EventStreamItem>): AsyncGenerator<string> {
  // Sends the headers at once, so that the client knows it is connected.
  yield PING;
  for await (const { cursor, event } of items)
    yield `id: ${writeCursor(cursor)}\ndata: ${JSON.stringify(event)}\n\n`;
}

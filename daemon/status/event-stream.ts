import {
  EVENTS_REPLAYED_MAX,
  type DaemonEvent,
  type RecordedEvent,
  type Topic,
} from '../../src/api/management/events.ts';
import { toIso } from '../../src/base/clock.ts';
import type { EventType } from '../../src/events/event-types.ts';
import type { Services } from '../compose.ts';
import { followBatches } from './batch-progress.ts';

const STATUS_EVERY_MS = 1000;
const ROWS_PER_READ = 100;

export type Cursor = { sequence: number; bootId: string; line: number };
export type EventStreamQuery = { topics: readonly Topic[]; from: Cursor; status: () => DaemonEvent };
export type EventStreamItem = { cursor: Cursor; event: DaemonEvent };

const TOPIC_OF: Readonly<Record<string, RecordedEvent['topic']>> = {
  batch: 'batch',
  chat: 'chat',
  model: 'model',
  api_key: 'key',
  subscription: 'account',
  usage: 'account',
  webhook: 'webhook',
};

function topicOf(type: EventType): RecordedEvent['topic'] {
  return TOPIC_OF[type.split('.')[0] ?? ''] ?? 'other';
}

type Parts = Pick<Services, 'events' | 'logTail' | 'boot' | 'batches' | 'clock'>;

/**
 * Everything from a cursor on, until the signal. Events are read from storage, so a slow reader costs nothing, and a
 * stream continues after a restart of the daemon.
 */
export async function* follow(
  parts: Parts,
  { topics, from, status }: EventStreamQuery,
  ended: AbortSignal,
): AsyncGenerator<EventStreamItem> {
  const wanted = new Set(topics);
  const bell = createBell(parts, ended);
  const batches = wanted.has('batch') ? followBatches(parts, bell.ring) : undefined;
  let cursor = from;
  let statusAt = 0;
  try {
    while (!ended.aborted) {
      bell.reset();
      if (wanted.has('status') && performance.now() >= statusAt) {
        statusAt = performance.now() + STATUS_EVERY_MS;
        yield { cursor, event: status() };
      }
      for (const item of pending(parts, cursor)) {
        cursor = item.cursor;
        if (item.event.topic === 'gap' || wanted.has(item.event.topic)) yield item;
      }
      for (const event of batches?.take() ?? []) yield { cursor, event };
      await bell.wait(wanted.has('status') ? statusAt - performance.now() : undefined);
    }
  } finally {
    batches?.close();
    bell.close();
  }
}

/** The start of a new stream, including some of the past. */
export function cursorBefore({ events, logTail, boot }: Parts, replay: number): Cursor {
  const back = (latest: number) => Math.max(0, latest - replay);
  return { sequence: back(events.latest()), bootId: boot.id, line: back(logTail.latest()) };
}

export function writeCursor({ sequence, bootId, line }: Cursor): string {
  return `${sequence}.${line}.${bootId}`;
}

export function readCursor(text: string): Cursor | undefined {
  const [, sequence, line, bootId = ''] = /^(\d{1,15})\.(\d{1,15})\.([\w-]{1,64})$/.exec(text) ?? [];
  return sequence === undefined ? undefined : { sequence: Number(sequence), line: Number(line), bootId };
}

function* pending({ events, logTail, boot }: Parts, from: Cursor): Generator<EventStreamItem> {
  // Log lines of another run have different numbers: all of ours are new.
  let cursor = from.bootId === boot.id ? from : { ...from, bootId: boot.id, line: 0 };
  const latest = events.latest();
  // A restored database has fewer events than the reader has seen.
  if (cursor.sequence > latest) cursor = { ...cursor, sequence: latest };
  const missed = latest - cursor.sequence - EVENTS_REPLAYED_MAX;
  if (missed > 0) {
    cursor = { ...cursor, sequence: cursor.sequence + missed };
    yield { cursor, event: { topic: 'gap', missed } };
  }
  for (let rows = events.after(cursor.sequence, ROWS_PER_READ); rows.length > 0;) {
    for (const { sequence, id, type, created_at: createdAt, data } of rows) {
      cursor = { ...cursor, sequence };
      yield {
        cursor,
        event: { topic: topicOf(type), id, type, created_at: toIso(createdAt), data },
      };
    }
    rows = rows.length < ROWS_PER_READ ? [] : events.after(cursor.sequence, ROWS_PER_READ);
  }
  for (const { number, line } of logTail.after(cursor.line)) {
    cursor = { ...cursor, line: number };
    yield { cursor, event: { topic: 'log', line: line.trimEnd() } };
  }
}

/** Wakes on an event, a log line or the end; remembers a wake-up that comes before anyone waits. */
function createBell({ events, logTail }: Parts, ended: AbortSignal) {
  let rung = false;
  let wake: () => void = () => undefined;
  const ring = () => {
    rung = true;
    // An event can be read once its transaction is committed.
    setImmediate(() => wake());
  };
  const unlisten = [events.onRecord(ring), logTail.onLine(ring)];
  ended.addEventListener('abort', ring, { once: true });
  return {
    ring,
    reset: () => void (rung = false),
    wait: (timeoutMs: number | undefined) =>
      new Promise<void>((resolve) => {
        const timer = timeoutMs === undefined ? undefined : setTimeout(resolve, Math.max(0, timeoutMs));
        wake = () => (clearTimeout(timer), resolve());
        if (rung || ended.aborted) setImmediate(wake);
      }),
    close() {
      for (const each of unlisten) each();
      ended.removeEventListener('abort', ring);
    },
  };
}

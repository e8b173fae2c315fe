import { Type, type Static } from '../schema.ts';
import { ActivitySample } from './activity.ts';
import { Status } from './daemon.ts';
import { endpoint } from '../endpoint.ts';
import { Pull } from './library.ts';

export const EVENTS_REPLAYED_MAX = 500;

/**
 * `status` is sent every second, all other events as they happen. `batch` includes `batch.progress`, which is not
 * replayed and is sent at most twice a second.
 */
export const TOPICS = [
  'status',
  'batch',
  'chat',
  'model',
  'key',
  'account',
  'webhook',
  'other',
  'log',
] as const;
export type Topic = (typeof TOPICS)[number];

const Timestamp = Type.String({ format: 'date-time' });

export const StatusEvent = Type.Object({
  topic: Type.Literal('status'),
  status: Status,
  activity: Type.Optional(ActivitySample),
  pulls: Type.Array(Pull, { description: 'The downloads in progress, and those that are paused.' }),
  agent: Type.Object({
    running: Type.Array(Type.String(), { description: 'The runs in progress.' }),
    latest: Type.Union([Type.String(), Type.Null()], {
      description: 'The latest run since the daemon started; it may have ended.',
    }),
  }),
});

export const RecordedEvent = Type.Object({
  topic: Type.Enum(['batch', 'chat', 'model', 'key', 'account', 'webhook', 'other']),
  id: Type.String(),
  type: Type.String(),
  created_at: Timestamp,
  data: Type.Record(Type.String(), Type.Unknown()),
});
export type RecordedEvent = Static<typeof RecordedEvent>;

export const LogEvent = Type.Object({
  topic: Type.Literal('log'),
  line: Type.String({ description: 'One line of the log file, without its secrets.' }),
});

export const GapEvent = Type.Object({
  topic: Type.Literal('gap'),
  missed: Type.Integer({ description: 'The number of events that could not be replayed.' }),
});

export const DaemonEvent = Type.Union([StatusEvent, RecordedEvent, LogEvent, GapEvent], {
  $id: 'DaemonEvent',
});
export type DaemonEvent = Static<typeof DaemonEvent>;

export const watchEvents = endpoint({
  method: 'GET',
  path: '/api/daemon/events',
  summary: 'Stream events as they happen; a Last-Event-ID header resumes an earlier stream',
  tag: 'Daemon',
  access: 'control',
  query: Type.Object(
    {
      topics: Type.Optional(
        Type.Array(Type.Enum([...TOPICS]), {
          minItems: 1,
          uniqueItems: true,
          description: 'All types by default.',
        }),
      ),
      replay: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: EVENTS_REPLAYED_MAX,
          default: 0,
          description: 'How many earlier events and log lines to send first.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({}),
  event: DaemonEvent,
});

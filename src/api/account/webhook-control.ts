import { Type, type Static } from '../schema.ts';
import { endpoint } from '../endpoint.ts';
import { WEBHOOK_EVENT_TYPES } from './webhook-events.ts';

const tag = 'Daemon';
const EventName = Type.Enum(WEBHOOK_EVENT_TYPES);

export const ListenRequest = Type.Object(
  {
    port: Type.Integer({
      minimum: 1024,
      maximum: 65_535,
      description: 'The port of the receiver on 127.0.0.1.',
    }),
    events: Type.Optional(Type.Array(EventName, { minItems: 1, uniqueItems: true })),
  },
  { additionalProperties: false },
);
export type ListenRequest = Static<typeof ListenRequest>;

/** The only event of the stream; after it come only comments. */
export const Listening = Type.Object({ webhook_id: Type.String(), secret: Type.String() });
export type Listening = Static<typeof Listening>;

export const listenWebhooks = endpoint({
  method: 'POST',
  path: '/api/daemon/webhooks/listen',
  summary: 'Deliver events to a port of this machine for as long as this connection is open',
  tag,
  access: 'control',
  body: ListenRequest,
  response: Listening,
  event: Listening,
});

export const getListenSecret = endpoint({
  method: 'GET',
  path: '/api/daemon/webhooks/listen-secret',
  summary: 'Get the secret that signs deliveries to receivers on this machine',
  tag,
  access: 'control',
  response: Type.Object({ secret: Type.String() }),
});

export const triggerWebhooks = endpoint({
  method: 'POST',
  path: '/api/daemon/webhooks/trigger',
  summary: 'Send a made-up event, marked as a test, to every webhook that subscribes to its type',
  tag,
  access: 'control',
  isAtomic: true,
  body: Type.Object({ type: EventName }, { additionalProperties: false }),
  response: Type.Object({
    id: Type.String(),
    type: Type.String(),
    data: Type.Record(Type.String(), Type.Unknown()),
  }),
});

import { Type, type Static } from '../schema.ts';
import { endpoint } from '../endpoint.ts';
import { WEBHOOK_EVENT_TYPES } from './webhook-events.ts';

const tag = 'Webhooks';
const access = 'management' as const;

const Timestamp = Type.String({ format: 'date-time' });
const OptionalTimestamp = Type.Union([Timestamp, Type.Null()]);
const EventName = Type.Enum(WEBHOOK_EVENT_TYPES);
const Name = Type.String({ minLength: 1, maxLength: 255 });
const Url = Type.String({ minLength: 1, maxLength: 2048 });
const Events = Type.Array(EventName, { minItems: 1, uniqueItems: true });

export const Webhook = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    url: Type.String(),
    events: Type.Array(Type.String()),
    enabled: Type.Boolean(),
    created_at: Timestamp,
    updated_at: Timestamp,
    disabled_reason: Type.Union([Type.Enum(['gone', 'failing']), Type.Null()], {
      description: 'Why askd disabled it. Enabling it again clears this.',
    }),
    failures: Type.Integer({ description: 'Failed attempts since the last successful one.' }),
    failing_since: OptionalTimestamp,
    last_success_at: OptionalTimestamp,
  },
  { $id: 'Webhook' },
);
export type Webhook = Static<typeof Webhook>;

export const CreateWebhookRequest = Type.Object(
  { name: Name, url: Url, events: Events },
  { $id: 'CreateWebhookRequest', additionalProperties: false },
);
export type CreateWebhookRequest = Static<typeof CreateWebhookRequest>;

export const UpdateWebhookRequest = Type.Object(
  {
    name: Type.Optional(Name),
    url: Type.Optional(Url),
    events: Type.Optional(Events),
    enabled: Type.Optional(
      Type.Boolean({ description: 'False pauses deliveries; pending ones are kept for a day.' }),
    ),
  },
  { $id: 'UpdateWebhookRequest', additionalProperties: false },
);
export type UpdateWebhookRequest = Static<typeof UpdateWebhookRequest>;

const DeliveryState = Type.Enum(['pending', 'delivered', 'failed', 'expired']);

const delivery = {
  event_id: Type.String(),
  type: Type.String(),
  timestamp: Timestamp,
  state: DeliveryState,
  next_attempt_at: OptionalTimestamp,
  finished_at: OptionalTimestamp,
};

export const WebhookDelivery = Type.Object(
  { ...delivery, attempts: Type.Integer() },
  { $id: 'WebhookDelivery' },
);
export type WebhookDelivery = Static<typeof WebhookDelivery>;

export const WebhookAttempt = Type.Object(
  {
    cause: Type.Enum(['schedule', 'resend', 'test']),
    started_at: Timestamp,
    duration_ms: Type.Integer(),
    status: Type.Union([Type.Integer(), Type.Null()]),
    error: Type.Union([Type.String(), Type.Null()]),
    snippet: Type.String({ description: 'The beginning of the response, at most 1,024 characters.' }),
  },
  { $id: 'WebhookAttempt' },
);
export type WebhookAttempt = Static<typeof WebhookAttempt>;

export const WebhookDeliveryDetail = Type.Object(
  {
    ...delivery,
    attempts: Type.Array(WebhookAttempt),
    data: Type.Record(Type.String(), Type.Unknown()),
    body: Type.String({ description: 'The body of every attempt, byte for byte.' }),
  },
  { $id: 'WebhookDeliveryDetail' },
);
export type WebhookDeliveryDetail = Static<typeof WebhookDeliveryDetail>;

const WithSecret = {
  webhook: Webhook,
  secret: Type.String({ description: 'The signing secret. It is shown only once.' }),
};

export const listWebhooks = endpoint({
  method: 'GET',
  path: '/api/webhooks',
  summary: 'List webhooks, newest first, without their secrets',
  tag,
  access,
  response: Type.Object({ webhooks: Type.Array(Webhook) }),
});

export const getWebhook = endpoint({
  method: 'GET',
  path: '/api/webhooks/{id}',
  summary: 'Get a webhook',
  tag,
  access,
  response: Type.Object({ webhook: Webhook }),
});

export const createWebhook = endpoint({
  method: 'POST',
  path: '/api/webhooks',
  summary: 'Create a webhook; only this response contains its signing secret',
  tag,
  access,
  body: CreateWebhookRequest,
  status: 201,
  response: Type.Object(WithSecret),
});

export const updateWebhook = endpoint({
  method: 'PATCH',
  path: '/api/webhooks/{id}',
  summary: 'Change a webhook, pause it or resume it',
  tag,
  access,
  body: UpdateWebhookRequest,
  response: Type.Object({ webhook: Webhook }),
});

export const deleteWebhook = endpoint({
  method: 'DELETE',
  path: '/api/webhooks/{id}',
  summary: 'Delete a webhook and its pending deliveries',
  tag,
  access,
  isAtomic: true,
  response: Type.Object({ success: Type.Literal(true) }),
});

export const rotateWebhookSecret = endpoint({
  method: 'POST',
  path: '/api/webhooks/{id}/rotate-secret',
  summary: 'Rotate the signing secret; for a day, deliveries are signed with both',
  tag,
  access,
  isAtomic: true,
  response: Type.Object({ ...WithSecret, previous_secret_expires_at: Timestamp }),
});

export const testWebhook = endpoint({
  method: 'POST',
  path: '/api/webhooks/{id}/test',
  summary: 'Send a test event now and return the result',
  tag,
  access,
  response: Type.Object({ delivery: WebhookDeliveryDetail }),
});

export const listDeliveries = endpoint({
  method: 'GET',
  path: '/api/webhooks/{id}/deliveries',
  summary: 'List the deliveries of the last 30 days, newest first',
  tag,
  access,
  query: Type.Object(
    {
      state: Type.Optional(DeliveryState),
      before: Type.Optional(Type.String({ description: 'Return only deliveries before this event_id.' })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({ deliveries: Type.Array(WebhookDelivery), has_more: Type.Boolean() }),
});

export const getDelivery = endpoint({
  method: 'GET',
  path: '/api/webhooks/{id}/deliveries/{event_id}',
  summary: 'Get a delivery with all its attempts',
  tag,
  access,
  response: Type.Object({ delivery: WebhookDeliveryDetail }),
});

export const resendDelivery = endpoint({
  method: 'POST',
  path: '/api/webhooks/{id}/deliveries/{event_id}/resend',
  summary: 'Resend an event now and return the result',
  tag,
  access,
  response: Type.Object({ delivery: WebhookDeliveryDetail }),
});

export const replayWebhook = endpoint({
  method: 'POST',
  path: '/api/webhooks/{id}/replay',
  summary: 'Resend all events that were not delivered since a given time',
  tag,
  access,
  isAtomic: true,
  body: Type.Object({ since: Timestamp }, { additionalProperties: false }),
  response: Type.Object({ queued: Type.Integer() }),
});

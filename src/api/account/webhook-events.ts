import { Type, type Static, type TSchema } from '../schema.ts';
import { WEBHOOK_EVENT_SUMMARIES as SUMMARIES, type WebhookEventType } from './webhook-event-summaries.ts';

export type { WebhookEventType } from './webhook-event-summaries.ts';

/** Only in events created by `askd webhooks trigger`. */
const test = Type.Optional(Type.Literal(true));

const Data = <Fields extends Record<string, TSchema>>(fields: Fields) => Type.Object({ ...fields, test });

const Usage = Type.Object({
  prompt_tokens: Type.Integer(),
  completion_tokens: Type.Integer(),
  total_tokens: Type.Integer(),
});

const Batch = Data({
  id: Type.String(),
  endpoint: Type.String(),
  model: Type.Union([Type.String(), Type.Null()]),
  request_counts: Type.Object({
    total: Type.Integer(),
    completed: Type.Integer(),
    failed: Type.Integer(),
  }),
});

const batchOf = (completed: number, failed: number) => ({
  id: 'batch_01JEXAMPLE0000000000000000',
  endpoint: '/v1/chat/completions',
  model: completed + failed === 0 ? null : 'svc-chat-v1',
  request_counts: { total: completed + failed === 0 ? 0 : 100, completed, failed },
});

const key = { id: Type.String(), name: Type.String(), key_prefix: Type.String() };

type WebhookEventDefinition = { summary: string; data: TSchema; example: Record<string, unknown> };

/**
 * Every event that a webhook can subscribe to. Events carry ids, models, counts and costs, but never content or
 * secrets.
 */
export const WEBHOOK_EVENTS = {
  'chat.started': {
    summary: SUMMARIES['chat.started'],
    data: Data({ request_id: Type.String(), model: Type.String(), stream: Type.Boolean() }),
    example: { request_id: 'req_01JEXAMPLE0000000000000000', model: 'svc-chat-v1', stream: true },
  },
  'chat.completed': {
    summary: SUMMARIES['chat.completed'],
    data: Data({
      request_id: Type.String(),
      model: Type.String(),
      outcome: Type.Enum(['finished', 'disconnected', 'failed']),
      finish_reason: Type.Union([Type.String(), Type.Null()]),
      usage: Usage,
      cost: Type.Number({ description: 'Credits.' }),
    }),
    example: {
      request_id: 'req_01JEXAMPLE0000000000000000',
      model: 'svc-chat-v1',
      outcome: 'finished',
      finish_reason: 'stop',
      usage: { prompt_tokens: 12, completion_tokens: 34, total_tokens: 46 },
      cost: 0.000046,
    },
  },
  'batch.completed': { summary: SUMMARIES['batch.completed'], data: Batch, example: batchOf(98, 2) },
  'batch.failed': { summary: SUMMARIES['batch.failed'], data: Batch, example: batchOf(0, 0) },
  'batch.expired': { summary: SUMMARIES['batch.expired'], data: Batch, example: batchOf(60, 40) },
  'batch.cancelled': { summary: SUMMARIES['batch.cancelled'], data: Batch, example: batchOf(60, 0) },
  'api_key.created': {
    summary: SUMMARIES['api_key.created'],
    data: Data({ ...key, scopes: Type.Array(Type.String()) }),
    example: {
      id: 'key_01JEXAMPLE0000000000000000',
      name: 'example',
      key_prefix: 'ask_Exam',
      scopes: ['chat', 'read'],
    },
  },
  'api_key.deleted': {
    summary: SUMMARIES['api_key.deleted'],
    data: Data(key),
    example: { id: 'key_01JEXAMPLE0000000000000000', name: 'example', key_prefix: 'ask_Exam' },
  },
  'subscription.updated': {
    summary: SUMMARIES['subscription.updated'],
    data: Data({ tier: Type.String(), previous_tier: Type.String() }),
    example: { tier: 'startup', previous_tier: 'free' },
  },
  'usage.limit_reached': {
    summary: SUMMARIES['usage.limit_reached'],
    data: Data({
      kind: Type.Enum([
        'rpm',
        'tpm',
        'monthly_tokens',
        'spending_limit',
        'credits',
        'key_credits',
        'key_tokens',
      ]),
      period: Type.String({ description: 'The period in which the limit was reached.' }),
      key_id: Type.Optional(Type.String({ description: 'The API key whose budget was reached.' })),
    }),
    example: { kind: 'rpm', period: '2027-01-31T12:00' },
  },
} as const satisfies Record<WebhookEventType, WebhookEventDefinition>;

export const WEBHOOK_EVENT_TYPES = Object.keys(WEBHOOK_EVENTS) as WebhookEventType[];

/** The body of a delivery. */
export function webhookBody(type: string, data: TSchema): TSchema {
  return Type.Object({
    type: Type.Literal(type),
    timestamp: Type.String({ format: 'date-time', description: 'When it happened.' }),
    data,
  });
}

/** The headers that a receiver verifies. */
export const WebhookHeaders = Type.Object({
  'webhook-id': Type.String({ description: 'The id of the event, the same for every attempt.' }),
  'webhook-timestamp': Type.String({ description: 'The time of this attempt, in seconds since 1970.' }),
  'webhook-signature': Type.String({
    description: 'Standard Webhooks: v1 and a base64 HMAC-SHA256, one per secret.',
  }),
});

/** Sent by the test route only. */
export const WebhookTestData = Type.Object({ webhook_id: Type.String(), name: Type.String() });
export type WebhookTestData = Static<typeof WebhookTestData>;

/** Every event that a webhook can subscribe to, and when it is sent. Without schemas, for the console. */
export const WEBHOOK_EVENT_SUMMARIES = {
  'chat.started': 'A chat completion request starts',
  'chat.completed': 'A chat completion finishes or fails',
  'batch.completed': 'A batch is complete, and its results are files',
  'batch.failed': 'A batch is refused for errors in its file',
  'batch.expired': 'A batch is not complete within its window',
  'batch.cancelled': 'A cancelled batch has ended',
  'api_key.created': 'An API key is created',
  'api_key.deleted': 'An API key is deleted',
  'subscription.updated': 'The subscription changes',
  'usage.limit_reached': 'A usage limit is reached; sent once per kind, period and key',
} as const;

export type WebhookEventType = keyof typeof WEBHOOK_EVENT_SUMMARIES;

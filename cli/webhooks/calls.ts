import {
  getListenSecret,
  listenWebhooks,
  triggerWebhooks,
  type ListenRequest,
} from '../../src/api/account/webhook-control.ts';
import type { WebhookEventType } from '../../src/api/account/webhook-events.ts';
import {
  createWebhook,
  deleteWebhook,
  getDelivery,
  listDeliveries,
  listWebhooks,
  replayWebhook,
  resendDelivery,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
  type CreateWebhookRequest,
  type UpdateWebhookRequest,
  type WebhookDelivery,
} from '../../src/api/account/webhooks.ts';
import type { Http } from '../../src/api/http/http.ts';

/** The receiver of a test may take its time. */
const ATTEMPT_SILENCE_MS_MAX = 60_000;

type Page = { state?: WebhookDelivery['state']; before?: string; limit?: number };

/** The client's methods for webhooks. */
export function webhookCalls({ call, stream }: Http) {
  const patient = { silenceMsMax: ATTEMPT_SILENCE_MS_MAX };
  return {
    list: () => call(listWebhooks),
    create: (body: CreateWebhookRequest) => call(createWebhook, { body }),
    update: (id: string, body: UpdateWebhookRequest) => call(updateWebhook, { params: { id }, body }),
    remove: (id: string) => call(deleteWebhook, { params: { id } }),
    rotate: (id: string) => call(rotateWebhookSecret, { params: { id } }),
    test: (id: string) => call(testWebhook, { params: { id }, ...patient }),
    deliveries: (id: string, query: Page) => call(listDeliveries, { params: { id }, query }),
    delivery: (id: string, eventId: string) => call(getDelivery, { params: { id, event_id: eventId } }),
    resend: (id: string, eventId: string) =>
      call(resendDelivery, { params: { id, event_id: eventId }, ...patient }),
    replay: (id: string, since: string) => call(replayWebhook, { params: { id }, body: { since } }),
    trigger: (type: WebhookEventType) => call(triggerWebhooks, { body: { type } }),
    listenSecret: () => call(getListenSecret),
    listen: (body: ListenRequest) => stream(listenWebhooks, { body }),
  };
}

import {
  createWebhook,
  deleteWebhook,
  getDelivery,
  getWebhook,
  listDeliveries,
  listWebhooks,
  replayWebhook,
  resendDelivery,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from '../../../src/api/account/webhooks.ts';
import { Failure } from '../../../src/base/errors.ts';
import type { Services } from '../../compose.ts';
import type { Call, Mount } from '../../http/register-route.ts';

const DELIVERIES_LISTED = 20;

export function mountWebhooks(mount: Mount, { webhooks }: Services): void {
  const { endpoints, log, manual } = webhooks;

  mount(listWebhooks, ({ principal }) => ({ webhooks: endpoints.list(principal.accountId) }));

  mount(getWebhook, (call) => ({ webhook: endpoints.get(...target(call)) }));

  mount(createWebhook, async ({ body, principal, reply }) => {
    void reply.header('cache-control', 'no-store');
    return endpoints.create({ accountId: principal.accountId, ...body });
  });

  mount(updateWebhook, async (call) => ({ webhook: await endpoints.update(...target(call), call.body) }));

  mount(deleteWebhook, (call) => {
    endpoints.remove(...target(call));
    return { success: true as const };
  });

  mount(rotateWebhookSecret, (call) => {
    void call.reply.header('cache-control', 'no-store');
    return endpoints.rotate(...target(call));
  });

  mount(testWebhook, async (call) => {
    const [accountId, id] = target(call);
    const eventId = await manual.test(accountId, id, call.client);
    return { delivery: findDelivery(id, eventId) };
  });

  mount(listDeliveries, (call) => {
    const { id } = endpoints.rowOf(...target(call));
    return log.list(id, { limit: DELIVERIES_LISTED, ...call.query });
  });

  mount(getDelivery, (call) => {
    const { id } = endpoints.rowOf(...target(call));
    return { delivery: findDelivery(id, call.params['event_id'] ?? '') };
  });

  mount(resendDelivery, async (call) => {
    const endpoint = endpoints.rowOf(...target(call));
    const eventId = call.params['event_id'] ?? '';
    await manual.resend(endpoint, eventId, call.client);
    return { delivery: findDelivery(endpoint.id, eventId) };
  });

  mount(replayWebhook, (call) => {
    const endpoint = endpoints.rowOf(...target(call));
    return { queued: webhooks.replay(endpoint, Date.parse(call.body.since)) };
  });

  function findDelivery(id: string, eventId: string) {
    const delivery = log.find(id, eventId);
    if (delivery) return delivery;
    throw new Failure(
      'not_found',
      `The webhook ${id} was never owed an event "${eventId}". List them: askd webhooks deliveries ${id}`,
      { param: 'event_id' },
    );
  }
}

function target({
  principal,
  params,
}: Pick<Call<typeof getWebhook>, 'principal' | 'params'>): [string, string] {
  return [principal.accountId, params['id'] ?? ''];
}

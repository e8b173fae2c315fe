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
import type { Call, RegisterRoute } from '../../http/register-route.ts';

const DELIVERIES_LISTED = 20;

export function registerWebhooks(register: RegisterRoute, { webhooks }: Services): void {
  const { endpoints, log, manual } = webhooks;

  register(listWebhooks, ({ principal }) => ({ webhooks: endpoints.list(principal.accountId) }));

  register(getWebhook, (call) => ({ webhook: endpoints.get(...target(call)) }));

  register(createWebhook, async ({ body, principal, reply }) => {
    void reply.header('cache-control', 'no-store');
    return endpoints.create({ accountId: principal.accountId, ...body });
  });

  register(updateWebhook, async (call) => ({ webhook: await endpoints.update(...target(call), call.body) }));

  register(deleteWebhook, (call) => {
    endpoints.remove(...target(call));
    return { success: true as const };
  });

  register(rotateWebhookSecret, (call) => {
    void call.reply.header('cache-control', 'no-store');
    return endpoints.rotate(...target(call));
  });

  register(testWebhook, async (call) => {
    const [accountId, id] = target(call);
    const eventId = await manual.test(accountId, id, call.client);
    return { delivery: findDelivery(id, eventId) };
  });

  register(listDeliveries, (call) => {
    const { id } = endpoints.rowOf(...target(call));
    return log.list(id, { limit: DELIVERIES_LISTED, ...call.query });
  });

  register(getDelivery, (call) => {
    const { id } = endpoints.rowOf(...target(call));
    return { delivery: findDelivery(id, call.params['event_id'] ?? '') };
  });

  register(resendDelivery, async (call) => {
    const endpoint = endpoints.rowOf(...target(call));
    const eventId = call.params['event_id'] ?? '';
    await manual.resend(endpoint, eventId, call.client);
    return { delivery: findDelivery(endpoint.id, eventId) };
  });

  register(replayWebhook, (call) => {
    const endpoint = endpoints.rowOf(...target(call));
    return { queued: webhooks.replay(endpoint, Date.parse(call.body.since)) };
  });

  function findDelivery(id: string, eventId: string) {
    const delivery = log.find(id, eventId);
    if (delivery) return delivery;
    throw new Failure(
      'not_found',
      `The webhook ${id} has no delivery of the event "${eventId}". List them: askd webhooks deliveries ${id}`,
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

import { anySignal } from '../../../src/base/any-signal.ts';
import {
  getListenSecret,
  listenWebhooks,
  triggerWebhooks,
} from '../../../src/api/account/webhook-control.ts';
import { WEBHOOK_EVENT_TYPES, WEBHOOK_EVENTS } from '../../../src/api/account/webhook-events.ts';
import { Failure } from '../../../src/base/errors.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';
import { sendEvents, toEvent } from '../../http/sse.ts';

/** Webhook operations for the command line, in addition to management. */
export function registerWebhookControl(
  register: RegisterRoute,
  { webhooks, store, events, boot, stopping, log }: Services,
): void {
  const { listeners } = webhooks;

  register(listenWebhooks, async ({ body, principal, client, reply }) => {
    if (body.port === boot.address().port) {
      throw new Failure('invalid_value', 'This is the port of the daemon itself.', { param: 'port' });
    }
    const wanted = { port: body.port, events: body.events ?? WEBHOOK_EVENT_TYPES };
    const { id, close } = listeners.listen(principal.accountId, wanted);
    const ended = anySignal(client, boot.stopRequested, stopping.signal);
    ended.addEventListener('abort', close, { once: true });
    if (ended.aborted) close();
    return sendEvents({
      reply,
      blocks: lease(toEvent({ webhook_id: id, secret: listeners.secret() }), ended),
      onFailure: (failure) => log.warn({ code: failure.code }, 'listening for webhooks failed'),
    });
  });

  register(getListenSecret, ({ reply }) => {
    void reply.header('cache-control', 'no-store');
    return { secret: listeners.secret() };
  });

  register(triggerWebhooks, ({ body, principal }) => {
    const { type } = body;
    const data = { ...WEBHOOK_EVENTS[type].example, test: true };
    const id = store.transaction(() => events.record(type, data as never, principal.accountId));
    return { id, type, data };
  });
}

/** One event, and then nothing until the connection or the daemon ends. */
async function* lease(first: string, ended: AbortSignal): AsyncGenerator<string> {
  yield first;
  if (ended.aborted) return;
  await new Promise((resolve) => ended.addEventListener('abort', resolve, { once: true }));
}

import type { WebhookEventType } from '../../../src/api/account/webhook-events.ts';
import { command } from '../../command.ts';

export const webhooksTrigger = command({
  name: 'webhooks trigger',
  group: 'Webhooks:',
  summary: 'send a made-up event, marked as a test, to every subscribed webhook',
  examples: ['askd webhooks trigger chat.completed'],
  configure: (commander) => void commander.argument('<event>', 'event type, from askd webhooks events'),
  async run({ connect, output }, { args: [type = ''] }) {
    const client = await connect();
    const triggered = await client.webhooks.trigger(type as WebhookEventType);
    output.result(
      { schema: 'webhooks-trigger/1', ...triggered },
      () => `Triggered ${triggered.type} (${triggered.id}).`,
    );
  },
});

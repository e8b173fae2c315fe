import type { WebhookEventType } from '../../../src/api/account/webhook-events.ts';
import { command } from '../../command.ts';

export const webhooksTrigger = command({
  name: 'webhooks trigger',
  group: 'Webhooks:',
  summary: 'make up an event, marked as a test, for all who subscribe to it',
  examples: ['askd webhooks trigger chat.completed'],
  configure: (commander) => void commander.argument('<event>', 'as askd webhooks events lists it'),
  async run({ connect, output }, { args: [type = ''] }) {
    const client = await connect();
    const triggered = await client.webhooks.trigger(type as WebhookEventType);
    output.result(
      { schema: 'webhooks-trigger/1', ...triggered },
      () => `Triggered ${triggered.type} (${triggered.id}).`,
    );
  },
});

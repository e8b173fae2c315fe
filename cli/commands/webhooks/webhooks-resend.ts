import { command } from '../../command.ts';
import { findWebhook } from '../../webhooks/find-webhook.ts';
import { outcomeOf } from '../../webhooks/texts.ts';

export const webhooksResend = command({
  name: 'webhooks resend',
  group: 'Webhooks:',
  summary: 'resend one event now',
  details: 'Exits with 1 if it is not delivered.',
  examples: ['askd webhooks resend my-app evt_01JD0000000000000000000000'],
  configure(commander) {
    commander
      .argument('<webhook>', 'id or name of the webhook')
      .argument('<event>', 'event id, from askd webhooks deliveries');
  },
  async run({ connect, output }, { args: [wanted = '', eventId = ''] }) {
    const client = await connect();
    const { id } = await findWebhook(client, wanted);
    const { delivery } = await client.webhooks.resend(id, eventId);
    const { arrived, text } = outcomeOf(delivery);
    output.result({ schema: 'webhooks-resend/1', arrived, delivery }, () => text);
    return arrived ? 0 : 1;
  },
});

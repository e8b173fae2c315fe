import { command } from '../../command.ts';
import { findWebhook } from '../../webhooks/find-webhook.ts';
import { webhookText } from '../../webhooks/texts.ts';

export const webhooksShow = command({
  name: 'webhooks show',
  group: 'Webhooks:',
  summary: 'show one webhook',
  examples: ['askd webhooks show my-app', 'askd webhooks show my-app --json'],
  configure: (commander) => void commander.argument('<webhook>', 'id or name of the webhook'),
  async run({ connect, output }, { args: [wanted = ''] }) {
    const client = await connect();
    const webhook = await findWebhook(client, wanted);
    output.result({ schema: 'webhooks-show/1', webhook }, () => webhookText(webhook));
  },
});

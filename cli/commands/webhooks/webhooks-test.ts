import { command } from '../../command.ts';
import { findWebhook } from '../../webhooks/find-webhook.ts';
import { outcomeOf } from '../../webhooks/texts.ts';

export const webhooksTest = command({
  name: 'webhooks test',
  group: 'Webhooks:',
  summary: 'send a test event now and show the result',
  details: 'Exits with 1 if it is not delivered.',
  examples: ['askd webhooks test my-app', 'askd webhooks test my-app --json'],
  configure: (commander) => void commander.argument('<webhook>', 'id or name of the webhook'),
  async run({ connect, output }, { args: [wanted = ''] }) {
    const client = await connect();
    const { id } = await findWebhook(client, wanted);
    const { delivery } = await client.webhooks.test(id);
    const { arrived, text } = outcomeOf(delivery);
    output.result({ schema: 'webhooks-test/1', arrived, delivery }, () => text);
    return arrived ? 0 : 1;
  },
});

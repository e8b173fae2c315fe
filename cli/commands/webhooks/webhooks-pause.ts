import { command } from '../../command.ts';
import { sanitiseLine } from '../../output/sanitise.ts';
import { findWebhook } from '../../webhooks/find-webhook.ts';

export const webhooksPause = command({
  name: 'webhooks pause',
  group: 'Webhooks:',
  summary: 'pause deliveries; pending ones are kept for a day',
  examples: ['askd webhooks pause my-app'],
  configure: (commander) => void commander.argument('<webhook>', 'id or name of the webhook'),
  async run({ connect, output }, { args: [wanted = ''] }) {
    const client = await connect();
    const { id } = await findWebhook(client, wanted);
    const { webhook } = await client.webhooks.update(id, { enabled: false });
    output.result({ schema: 'webhooks-pause/1', webhook }, () =>
      sanitiseLine(`Paused ${webhook.name}. To resume: askd webhooks resume ${id}`),
    );
  },
});

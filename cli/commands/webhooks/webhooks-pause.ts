import { command } from '../../command.ts';
import { sanitiseLine } from '../../output/sanitise.ts';
import { findWebhook } from '../../webhooks/find-webhook.ts';

export const webhooksPause = command({
  name: 'webhooks pause',
  group: 'Webhooks:',
  summary: 'hold deliveries back; what falls due is kept for a day',
  examples: ['askd webhooks pause my-app'],
  configure: (commander) => void commander.argument('<webhook>', 'its id or name'),
  async run({ connect, output }, { args: [wanted = ''] }) {
    const client = await connect();
    const { id } = await findWebhook(client, wanted);
    const { webhook } = await client.webhooks.update(id, { enabled: false });
    output.result({ schema: 'webhooks-pause/1', webhook }, () =>
      sanitiseLine(`Paused ${webhook.name}. Go on: askd webhooks resume ${id}`),
    );
  },
});

import { command } from '../../command.ts';
import { sanitiseLine } from '../../output/sanitise.ts';
import { findWebhook } from '../../webhooks/find-webhook.ts';

export const webhooksResume = command({
  name: 'webhooks resume',
  group: 'Webhooks:',
  summary: 'resume a webhook that was paused or disabled',
  examples: ['askd webhooks resume my-app'],
  configure: (commander) => void commander.argument('<webhook>', 'id or name of the webhook'),
  async run({ connect, output }, { args: [wanted = ''] }) {
    const client = await connect();
    const { id } = await findWebhook(client, wanted);
    const { webhook } = await client.webhooks.update(id, { enabled: true });
    output.result({ schema: 'webhooks-resume/1', webhook }, () =>
      sanitiseLine(
        `${webhook.name} is active. To send older events: askd webhooks replay ${id} --since TIME`,
      ),
    );
  },
});

import { command } from '../../command.ts';
import { findWebhook } from '../../webhooks/find-webhook.ts';

export const webhooksRotate = command({
  name: 'webhooks rotate',
  group: 'Webhooks:',
  summary: 'replace the signing secret; the old one stays valid for a day',
  details: 'Only the new signing secret goes to stdout, so you can capture it.',
  examples: ['askd webhooks rotate my-app', 'askd webhooks rotate my-app --json'],
  configure: (commander) => void commander.argument('<webhook>', 'id or name of the webhook'),
  async run({ connect, output }, { args: [wanted = ''] }) {
    const client = await connect();
    const { id } = await findWebhook(client, wanted);
    const rotated = await client.webhooks.rotate(id);
    output.result({ schema: 'webhooks-rotate/1', ...rotated }, () => rotated.secret);
    output.note(`Deliveries are signed with both secrets until ${rotated.previous_secret_expires_at}.`);
  },
});

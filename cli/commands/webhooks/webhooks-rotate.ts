import { command } from '../../command.ts';
import { findWebhook } from '../../webhooks/find-webhook.ts';

export const webhooksRotate = command({
  name: 'webhooks rotate',
  group: 'Webhooks:',
  summary: 'give a webhook a new secret; the old one signs for a day more',
  details: 'The new signing secret goes to stdout alone, so that it can be piped.',
  examples: ['askd webhooks rotate my-app', 'askd webhooks rotate my-app --json'],
  configure: (commander) => void commander.argument('<webhook>', 'its id or name'),
  async run({ connect, output }, { args: [wanted = ''] }) {
    const client = await connect();
    const { id } = await findWebhook(client, wanted);
    const rotated = await client.webhooks.rotate(id);
    output.result({ schema: 'webhooks-rotate/1', ...rotated }, () => rotated.secret);
    output.note(`Deliveries are signed with both secrets until ${rotated.previous_secret_expires_at}.`);
  },
});

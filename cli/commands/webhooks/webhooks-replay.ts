import { timestamp } from '../../command-line/arguments.ts';
import { command } from '../../command.ts';
import { formatCount } from '../../output/format.ts';
import { findWebhook } from '../../webhooks/find-webhook.ts';

export const webhooksReplay = command<{ since: string }>({
  name: 'webhooks replay',
  group: 'Webhooks:',
  summary: 'resend all events that were not delivered since a time',
  examples: ['askd webhooks replay my-app --since 2027-01-31T12:00:00Z'],
  configure(commander) {
    commander
      .argument('<webhook>', 'id or name of the webhook')
      .requiredOption('--since <time>', 'at most 30 days ago', timestamp);
  },
  async run({ connect, output }, { args: [wanted = ''], options: { since } }) {
    const client = await connect();
    const { id } = await findWebhook(client, wanted);
    const { queued } = await client.webhooks.replay(id, since);
    output.result({ schema: 'webhooks-replay/1', queued }, () => `${formatCount(queued, 'event')} to send.`);
  },
});

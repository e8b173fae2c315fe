import type { CreateWebhookRequest } from '../../../src/api/account/webhooks.ts';
import { commaList } from '../../command-line/arguments.ts';
import { command } from '../../command.ts';

export const webhooksAdd = command<{ events: string[]; name?: string }>({
  name: 'webhooks add',
  group: 'Webhooks:',
  summary: 'send events to an address; its secret is shown once',
  details:
    'Only the signing secret goes to stdout, so you can capture it. The address must be public and begin with ' +
    'https://. To allow hosts of your own network: askd config add webhooks_allow_cidrs CIDR',
  examples: [
    'askd webhooks add https://example.com/hook --events chat.completed',
    'askd webhooks add https://example.com/hook --events api_key.created,api_key.deleted --json',
  ],
  configure(commander) {
    commander
      .argument('<url>', 'URL that events are sent to')
      .requiredOption('--events <list>', 'events to send; askd webhooks events lists them', commaList)
      .option('--name <name>', 'its name (default: the host)');
  },
  async run({ connect, output }, { args: [url = ''], options: { events, name } }) {
    const client = await connect();
    const host = URL.canParse(url) ? new URL(url).host : '';
    const body = { name: name ?? (host || 'webhook'), url, events } as CreateWebhookRequest;
    const created = await client.webhooks.create(body);
    output.result({ schema: 'webhooks-add/1', ...created }, () => created.secret);
    output.note(`Created ${created.webhook.name} (${created.webhook.id}). This secret is not shown again.`);
  },
});

import type { CreateWebhookRequest } from '../../../src/api/account/webhooks.ts';
import { commaList } from '../../command-line/arguments.ts';
import { command } from '../../command.ts';

export const webhooksAdd = command<{ events: string[]; name?: string }>({
  name: 'webhooks add',
  group: 'Webhooks:',
  summary: 'send events to an address; its secret is shown once',
  details:
    'The signing secret goes to stdout alone, so that it can be piped. The address is public and begins with ' +
    'https://; hosts of your own network are opened by webhooks_allow_cidrs in the configuration file.',
  examples: [
    'askd webhooks add https://example.com/hook --events chat.completed',
    'askd webhooks add https://example.com/hook --events api_key.created,api_key.deleted --json',
  ],
  configure(commander) {
    commander
      .argument('<url>', 'where events are sent')
      .requiredOption('--events <list>', 'which events; askd webhooks events lists them', commaList)
      .option('--name <name>', 'what it is for (default: the host)');
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

import type { WebhookEventType } from '../../../src/api/account/webhook-events.ts';
import { commaList } from '../../command-line/arguments.ts';
import { command } from '../../command.ts';
import { refuseHost } from '../../client/refuse-host.ts';

type ListenOptions = { events?: string[]; forwardTo?: string; printSecret?: true };

export const webhooksListen = command<ListenOptions>({
  name: 'webhooks listen',
  group: 'Webhooks:',
  summary: 'print events as they happen, or forward them to a program',
  details:
    'Opens a receiver on this machine, registers it with the daemon while it runs, and prints events with a valid ' +
    'signature. With --json, one document per line.',
  examples: [
    'askd webhooks listen',
    'askd webhooks listen --events chat.completed --json | jq .data.usage',
    'askd webhooks listen --forward-to http://localhost:3000/hook',
    'SECRET=$(askd webhooks listen --print-secret)',
  ],
  configure(commander) {
    commander
      .option('--events <list>', 'only these events', commaList)
      .option('--forward-to <url>', 'forward each event to this URL')
      .option('--print-secret', 'print the signing secret (always the same) and exit');
  },
  async run(context, { options: { events, forwardTo, printSecret } }) {
    refuseHost(context, 'webhooks listen');
    if (printSecret) {
      const client = await context.connect();
      const { secret } = await client.webhooks.listenSecret();
      return context.output.result({ schema: 'webhooks-listen-secret/1', secret }, () => secret);
    }
    const [{ listen }, { parseForwardUrl }] = await Promise.all([
      import('../../webhooks/listen.ts'),
      import('../../webhooks/forward.ts'),
    ]);
    await listen(context, {
      ...(events && { events: events as WebhookEventType[] }),
      ...(forwardTo !== undefined && { forwardTo: parseForwardUrl(forwardTo) }),
    });
  },
});

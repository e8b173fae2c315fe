import type { WebhookDelivery } from '../../../src/api/account/webhooks.ts';
import { integerBetween } from '../../command-line/arguments.ts';
import { command } from '../../command.ts';
import { formatSince } from '../../output/format.ts';
import { renderTable, type Column } from '../../output/table.ts';
import { findWebhook } from '../../webhooks/find-webhook.ts';
import { deliveryText } from '../../webhooks/texts.ts';

type DeliveriesOptions = { state?: WebhookDelivery['state']; lines: number; before?: string };

export const webhooksDeliveries = command<DeliveriesOptions>({
  name: 'webhooks deliveries',
  group: 'Webhooks:',
  summary: 'list the deliveries of a webhook, or the attempts for one event',
  examples: [
    'askd webhooks deliveries my-app',
    'askd webhooks deliveries my-app --state failed -n 100 --json',
    'askd webhooks deliveries my-app evt_01JD0000000000000000000000',
  ],
  configure(commander) {
    commander
      .argument('<webhook>', 'id or name of the webhook')
      .argument('[event]', 'the id of one event')
      .addOption(
        commander
          .createOption('--state <state>', 'only these')
          .choices(['pending', 'delivered', 'failed', 'expired']),
      )
      .option('-n, --lines <count>', 'maximum number', integerBetween(1, 100), 20)
      .option('--before <event>', 'only deliveries before this event');
  },
  async run({ connect, output }, { args: [wanted = '', eventId], options: { state, lines, before } }) {
    const client = await connect();
    const { id } = await findWebhook(client, wanted);
    if (eventId !== undefined) {
      const { delivery } = await client.webhooks.delivery(id, eventId);
      return output.result({ schema: 'webhooks-delivery/1', delivery }, () => deliveryText(delivery));
    }
    const query = { limit: lines, ...(state && { state }), ...(before && { before }) };
    const page = await client.webhooks.deliveries(id, query);
    output.result({ schema: 'webhooks-deliveries/1', ...page }, () =>
      page.deliveries.length === 0
        ? 'No deliveries.'
        : renderTable(page.deliveries, columns(Date.now()), output),
    );
    const last = page.deliveries.at(-1);
    if (page.has_more && last) output.note(`There are more: --before ${last.event_id}`);
  },
});

function columns(nowMs: number): Column<WebhookDelivery>[] {
  return [
    { title: 'EVENT', value: (delivery) => delivery.event_id },
    { title: 'TYPE', value: (delivery) => delivery.type, shrinks: true },
    { title: 'STATE', value: (delivery) => delivery.state },
    { title: 'TRIES', value: (delivery) => String(delivery.attempts), align: 'right' },
    { title: 'RECORDED', value: (delivery) => formatSince(delivery.timestamp, nowMs) },
  ];
}

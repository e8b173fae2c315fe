import type { Webhook } from '../../../src/api/account/webhooks.ts';
import { command } from '../../command.ts';
import { formatSince } from '../../output/format.ts';
import { renderTable, type Column } from '../../output/table.ts';
import { stateOf } from '../../webhooks/texts.ts';

export const webhooksList = command({
  name: 'webhooks list',
  group: 'Webhooks:',
  summary: 'list the webhooks and their state',
  examples: ['askd webhooks list', 'askd webhooks list --json'],
  async run({ connect, output }) {
    const client = await connect();
    const { webhooks } = await client.webhooks.list();
    output.result({ schema: 'webhooks-list/1', webhooks }, () =>
      webhooks.length === 0
        ? 'No webhooks yet: askd webhooks add URL --events NAMES'
        : renderTable(webhooks, columns(Date.now()), output),
    );
  },
});

function columns(nowMs: number): Column<Webhook>[] {
  return [
    { title: 'ID', value: (webhook) => webhook.id },
    { title: 'NAME', value: (webhook) => webhook.name, shrinks: true },
    { title: 'URL', value: (webhook) => webhook.url, shrinks: true },
    { title: 'STATE', value: stateOf, shrinks: true },
    { title: 'ARRIVED', value: (webhook) => formatSince(webhook.last_success_at, nowMs) },
  ];
}

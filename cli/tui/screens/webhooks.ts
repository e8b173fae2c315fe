import type { Webhook, WebhookDelivery } from '../../../src/api/account/webhooks.ts';
import { formatSince } from '../../output/format.ts';
import { stateOf } from '../../webhooks/texts.ts';
import { fields, heading, line, span, type Line, type Size, type Span } from '../render/lines.ts';
import { renderList, type Column } from '../render/list.ts';
import type { Screen } from '../screen.ts';
import { selectedWebhook } from '../state/selection.ts';
import type { State } from '../state/state.ts';
import type { Theme } from '../render/theme.ts';

export const webhooksScreen: Screen<Webhook> = {
  title: 'Webhooks',
  rows: ({ data }) => data.webhooks,
  id: ({ id }) => id,
  empty: 'There are no webhooks. n sends events to an address.',
  columns: ({ now }) => [
    { title: 'NAME', value: ({ name }) => name, width: 'rest' },
    { title: 'STATE', value: stateSpan, width: 14 },
    { title: 'EVENTS', value: ({ events }) => String(events.length), width: 6, align: 'right' },
    { title: 'LAST SUCCESS', value: ({ last_success_at: at }) => formatSince(at, now), width: 12 },
    { title: 'ADDRESS', value: ({ url }) => url, width: 'rest', from: 60 },
  ],
  detail: (state, webhook, size, theme) => (webhook ? detailOf(state, webhook, size, theme) : []),
  details: (state) => deliveriesOf(state).map(({ event_id: id }) => id),
};

function stateSpan(webhook: Webhook): Span {
  const isWell = webhook.enabled && webhook.failures === 0;
  return span(stateOf(webhook), { color: isWell ? 'green' : webhook.enabled ? 'red' : 'yellow' });
}

export function deliveriesOf(state: State): readonly WebhookDelivery[] {
  return state.data.deliveries[selectedWebhook(state) ?? ''] ?? [];
}

const FIELDS_LINES = 5;

function detailOf(state: State, webhook: Webhook, size: Size, theme: Theme): readonly Line[] {
  const about = [
    heading(webhook.name),
    ...fields(
      [
        ['address', webhook.url],
        ['events', webhook.events.join(', ')],
        ['state', stateOf(webhook)],
      ],
      size.width,
    ),
  ].slice(0, FIELDS_LINES);
  const deliveries = deliveriesOf(state);
  if (deliveries.length === 0)
    return [...about, line(span('No deliveries yet. t sends a test event.', { dim: true }))];
  const view = state.views.webhooks;
  const selected = Math.max(
    0,
    deliveries.findIndex(({ event_id: id }) => id === view.detail),
  );
  const list = {
    rows: deliveries,
    columns: deliveryColumns(state.now),
    selected,
    isFocused: view.pane === 'detail',
  };
  return [...about, ...renderList(list, { width: size.width, height: size.height - about.length }, theme)];
}

const COLORS = { pending: 'yellow', delivered: 'green', failed: 'red', expired: 'red' } as const;

function deliveryColumns(now: number): Column<WebhookDelivery>[] {
  return [
    { title: 'DELIVERY', value: ({ type }) => type, width: 'rest' },
    { title: 'STATE', value: ({ state }) => span(state, { color: COLORS[state] }), width: 9 },
    { title: 'TRIES', value: ({ attempts }) => String(attempts), width: 5, align: 'right' },
    { title: 'WHEN', value: ({ timestamp }) => formatSince(timestamp, now), width: 11 },
    { title: 'EVENT', value: ({ event_id: id }) => id, width: 30, from: 76 },
  ];
}

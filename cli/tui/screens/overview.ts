import type { Status } from '../../../src/api/management/daemon.ts';
import type { LoadedModel } from '../../../src/api/management/memory.ts';
import { formatAmount, formatBytes, formatCount, formatDuration, orDash } from '../../output/format.ts';
import { stay } from '../../output/loaded-models-table.ts';
import { activityGraphs, latestValues, SERIES_COUNT, smallGraph } from '../render/activity-graphs.ts';
import { eventColumns, foldEvents } from '../render/event-rows.ts';
import { bodySize } from '../render/layout.ts';
import {
  beside,
  block,
  facts,
  heading,
  line,
  span,
  type Line,
  type Size,
  type Span,
} from '../render/lines.ts';
import { cellsOf, renderList } from '../render/list.ts';
import type { Theme } from '../render/theme.ts';
import type { Screen } from '../screen.ts';
import { tokensPerSecondOf } from '../state/activity.ts';
import type { State } from '../state/state.ts';

const GRAPH_WIDTH = 14;

export const overviewScreen: Screen<LoadedModel> = {
  title: 'Overview',
  rows: ({ status }) => status?.models,
  id: ({ artifact }) => artifact,
  empty: 'No model is in memory. The first request loads one; l loads one now.',
  columns: (state, theme) => [
    { title: 'MODEL IN MEMORY', value: ({ artifact }) => artifact, width: 'rest' },
    {
      title: 'TOKENS/S',
      value: ({ artifact }) =>
        span(smallGraph(state, tokensPerSecondOf(artifact), GRAPH_WIDTH, theme), { color: 'cyan' }),
      width: GRAPH_WIDTH,
      align: 'right',
    },
    { title: 'MEMORY', value: ({ bytes }) => formatBytes(bytes), width: 8, align: 'right' },
    { title: 'BUSY', value: ({ busy, slots }) => `${busy}/${slots}`, width: 5, align: 'right' },
    { title: 'QUEUE', value: ({ queued }) => String(queued), width: 5, align: 'right' },
    { title: 'STAYS', value: (model) => stayOf(model, state.now), width: 8 },
    { title: 'DEVICE', value: ({ device }) => orDash(device), width: 12, from: 78 },
  ],
  top: (state, width, theme) => (state.status ? summary(state, state.status, width, theme) : []),
  share: { above: 0.35, left: 0.46 },
  detail: (state, _row, size, theme) => latestEvents(state, size, theme),
  details: ({ events }) => foldEvents(events).map(({ id }) => id),
};

function stayOf(model: LoadedModel, now: number): Span {
  return span(stay(model, now), model.state === 'loaded' ? {} : { color: 'yellow' });
}

/** From this screen height on, each graph has two rows, and then three. */
const TALLER_FROM = [30, 42];
/** From this width on, the graphs take more than half. */
const WIDE_FROM = 150;

function summary(state: State, status: Status, width: number, theme: Theme): readonly Line[] {
  if (theme.isReader) return facts([...latestValues(state), ...factsOf(status)]);
  const height = 1 + TALLER_FROM.filter((from) => bodySize(state).height >= from).length;
  const left = Math.floor((width - 3) * (width >= WIDE_FROM ? 0.6 : 0.5));
  const lines = SERIES_COUNT * height + 1;
  const graphs = activityGraphs(state, { width: left, height }, theme);
  const right = facts(factsOf(status));
  return [
    ...beside(
      block(graphs, { width: left, height: lines }),
      block(right, { width: width - 3 - left, height: lines }),
      ' ',
    ),
    line(''),
  ];
}

/** The most important first: a small screen shows six. */
function factsOf(status: Status): (readonly [name: string, value: string | Span])[] {
  const { served, wallet } = status;
  return [
    ['daemon', `askd ${status.version}, up ${formatDuration(status.uptime_seconds * 1000)}`],
    ['base URL', status.base_url],
    ['load', formatCount(status.requests_in_flight, 'request')],
    ['wallet', `${formatAmount(wallet.balance)} credits, ${status.tier}`],
    ['webhooks', webhooksText(status)],
    ['notice', noticeOf(status)],
    [
      'served',
      `${formatCount(served.requests, 'request')}, ${formatCount(served.generated_tokens, 'token')}`,
    ],
    ['spent', `${formatAmount(served.spent)} since it started`],
    ['held', formatAmount(wallet.held)],
    ['keys', `${status.active_keys} active`],
    ['models', `${formatCount(status.models.length, 'model')}, ${formatBytes(modelBytes(status))}`],
    ['home', status.home],
  ];
}

function modelBytes({ models }: Status): number {
  return models.reduce((sum, { bytes }) => sum + bytes, 0);
}

function webhooksText({ webhooks: { enabled, pending, disabled, state } }: Status): string {
  if (enabled + disabled.length === 0) return 'none';
  const off = disabled.length > 0 ? `, ${disabled.length} disabled` : '';
  return `${enabled} active, ${pending} pending${off}${state === 'delivering' ? '' : ` (${state})`}`;
}

function noticeOf({ notices: [latest] }: Status): Span {
  return latest === undefined ? span('none') : span(latest.message, { color: 'yellow' });
}

function latestEvents({ events, views }: State, size: Size, { glyphs, isReader }: Theme): readonly Line[] {
  const rows = foldEvents(events);
  if (rows.length === 0) return [heading('Events'), line(span('No events yet.', { dim: true }))];
  const { pane, detail } = views.overview;
  const selected = Math.max(
    0,
    rows.findIndex(({ id }) => id === detail),
  );
  const columns = eventColumns(glyphs);
  if (isReader) {
    const mark = (index: number) => (pane === 'detail' && index === selected ? `${glyphs.selected} ` : '');
    const lines = rows.map((row, index) => line(mark(index) + cellsOf(row, columns).join(', ')));
    return [heading('Events'), ...lines];
  }
  const list = { rows, columns, selected, isFocused: pane === 'detail' };
  return renderList(list, size, { glyphs, isReader });
}

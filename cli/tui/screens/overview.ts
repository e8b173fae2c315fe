import type { Status } from '../../../src/api/management/daemon.ts';
import type { LoadedModel } from '../../../src/api/management/memory.ts';
import type { RecordedEvent } from '../../../src/api/management/events.ts';
import { formatBytes, formatCount, formatDuration, formatMoney, orDash } from '../../output/format.ts';
import { stay } from '../../output/loaded-models-table.ts';
import { beside, block, facts, heading, line, span, type Line, type Span } from '../render/lines.ts';
import type { Screen } from '../screen.ts';
import type { State } from '../state/state.ts';
import { sparkline, type Theme } from '../render/theme.ts';

export const overviewScreen: Screen<LoadedModel> = {
  title: 'Overview',
  rows: ({ status }) => status?.models,
  id: ({ artifact }) => artifact,
  empty: 'No model is in memory. The first request loads one; l does it now.',
  columns: ({ now }) => [
    { title: 'MODEL IN MEMORY', value: ({ artifact }) => artifact, width: 'rest' },
    { title: 'MEMORY', value: ({ bytes }) => formatBytes(bytes), width: 8, align: 'right' },
    { title: 'BUSY', value: ({ busy, slots }) => `${busy}/${slots}`, width: 6, align: 'right' },
    { title: 'QUEUE', value: ({ queued }) => String(queued), width: 5, align: 'right' },
    { title: 'STAYS', value: (model) => stayOf(model, now), width: 10 },
    { title: 'DEVICE', value: ({ device }) => orDash(device), width: 12, from: 70 },
  ],
  top: (state, width, theme) => (state.status ? summary(state, state.status, width, theme) : []),
  share: { above: 0.35, left: 0.55 },
  detail: (state, _row, { width, height }) => latestEvents(state, width, height),
};

function stayOf(model: LoadedModel, now: number): Span {
  return span(stay(model, now), model.state === 'loaded' ? {} : { color: 'yellow' });
}

const TOP_LINES = 6;

function summary(state: State, status: Status, width: number, theme: Theme): readonly Line[] {
  const half = Math.floor((width - 3) / 2);
  const left = facts([
    ['daemon', `askd ${status.version}, up ${formatDuration(status.uptime_seconds * 1000)}`],
    ['base URL', status.base_url],
    ['memory', `${formatBytes(status.memory_bytes)} and ${formatBytes(modelBytes(status))} of models`],
    ['load', `${formatCount(status.requests_in_flight, 'request')}, ${perMinute(state)} a minute`],
    ['keys', `${status.active_keys} active`],
    ['webhooks', webhooksText(status)],
  ]);
  const graph = Math.max(8, half - 24);
  const rate = state.samples.tokens.at(-1) ?? 0;
  const right: Line[] = [
    line(
      span('tokens/s  ', { dim: true }),
      span(sparkline(state.samples.tokens, graph, theme.glyphs), { color: 'cyan' }),
      span(` ${rate.toFixed(1)}`),
    ),
    line(
      span('spend     ', { dim: true }),
      span(sparkline(state.samples.spent, graph, theme.glyphs), { color: 'magenta' }),
      span(` ${formatMoney(status.served.spent)}`),
    ),
    ...facts([
      ['wallet  ', `${formatMoney(status.wallet.balance)} credits`],
      ['tier', status.tier],
      [
        'served',
        `${formatCount(status.served.requests, 'request')}, ${formatCount(status.served.generated_tokens, 'token')}`,
      ],
      ['notice', noticeOf(status)],
    ]),
  ];
  const size = { width: half, height: TOP_LINES };
  return [...beside(block(left, size), block(right, size), ' '), line('')];
}

function modelBytes({ models }: Status): number {
  return models.reduce((sum, { bytes }) => sum + bytes, 0);
}

function perMinute({ samples }: State): number {
  return Math.round(samples.requests.slice(-60).reduce((sum, each) => sum + each, 0));
}

function webhooksText({ webhooks: { enabled, pending, disabled, state } }: Status): string {
  if (enabled + disabled.length === 0) return 'none';
  const off = disabled.length > 0 ? `, ${disabled.length} disabled` : '';
  return `${enabled} active, ${pending} pending${off}${state === 'delivering' ? '' : ` (${state})`}`;
}

function noticeOf({ notices: [latest] }: Status): Span {
  return latest === undefined ? span('none') : span(latest.message, { color: 'yellow' });
}

function latestEvents({ events }: State, width: number, height: number): readonly Line[] {
  const latest = events.slice(-(height - 1)).reverse();
  if (latest.length === 0) return [heading('Events'), line(span('No events yet.', { dim: true }))];
  return [heading('Events'), ...latest.map((event) => eventLine(event, width))];
}

/** Fields whose values suffice. */
const BARE = ['model', 'artifact', 'outcome', 'name'];

/** `12:00:01 chat.completed  svc-chat-v1 …`, the most informative fields first. */
export function eventLine({ created_at: at, type, data }: RecordedEvent, width: number): Line {
  const time = new Date(at).toTimeString().slice(0, 8);
  const parts = Object.entries(data)
    .filter(([name]) => !/(^|_)id$/.test(name))
    .map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return BARE.includes(name) ? text : `${name}=${text}`;
    });
  const hasFailed = data['outcome'] === 'failed' || type.endsWith('failed');
  const kind = span(
    type.padEnd(Math.min(20, Math.floor(width / 3))),
    hasFailed ? { color: 'red' } : { color: 'cyan' },
  );
  return line(span(`${time} `, { dim: true }), kind, ` ${parts.join(' ')}`);
}

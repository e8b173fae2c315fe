import type { RecordedEvent } from '../../../src/api/management/events.ts';
import { formatAmount, formatDuration, formatMoney, formatTokens } from '../../output/format.ts';
import { line, span, type Line, type Span } from './lines.ts';
import type { Column } from './list.ts';
import type { Glyphs } from './theme.ts';

/** One event, or several consecutive ones of the same type. */
export type EventRow = { id: string; type: string; events: readonly RecordedEvent[] };

/** The state is never changed in place, so a list of events is folded once. */
const folded = new WeakMap<readonly RecordedEvent[], readonly EventRow[]>();

/** Newest first. A completed chat is one event: its start adds nothing. */
export function foldEvents(events: readonly RecordedEvent[]): readonly EventRow[] {
  const known = folded.get(events);
  if (known) return known;
  const over = new Set(events.filter(({ type }) => type === 'chat.completed').map(requestOf));
  const groups: RecordedEvent[][] = [];
  for (const event of events) {
    if (event.type === 'chat.started' && over.has(requestOf(event))) continue;
    const last = groups.at(-1);
    if (last?.[0]?.type === event.type) last.push(event);
    else groups.push([event]);
  }
  const rows = groups.map((group) => ({ id: group[0]?.id ?? '', type: group[0]?.type ?? '', events: group }));
  folded.set(events, rows.reverse());
  return rows;
}

const requestOf = ({ data }: RecordedEvent) => data['request_id'];

export function titleOf({ type, events }: EventRow, { times }: Pick<Glyphs, 'times'>): string {
  return events.length === 1 ? type : `${type} ${times} ${events.length}`;
}

export function eventColumns(glyphs: Glyphs): Column<EventRow>[] {
  return [
    { title: 'TIME', value: (row) => timeOf(row.events.at(-1)), width: 8 },
    { title: 'EVENT', value: (row) => span(titleOf(row, glyphs), { color: colorOf(row) }), width: 22 },
    { title: 'WHAT', value: ({ events }) => whatOf(events), width: 'rest' },
    { title: 'CREDITS', value: ({ events }) => creditsOf(events, formatAmount), width: 10, align: 'decimal' },
  ];
}

/** With everything that the row has rounded or left out. */
export function eventDetail({ events }: EventRow): string[] {
  const [first, last] = [events[0], events.at(-1)];
  const credits = creditsOf(events, formatMoney);
  const totals = [
    `${events.length} events from ${first?.created_at} to ${last?.created_at}`,
    ...(credits === '' ? [] : [`${formatTokens(tokensOf(events))}, ${credits} credits`]),
    '',
  ];
  const rows = events.toReversed().map(({ created_at: at, data }) => {
    const parts = Object.entries(data).map(([name, value]) => `${name}=${textOf(value)}`);
    return `${at}  ${parts.join(' ')}`;
  });
  return [...(events.length > 1 ? totals : []), ...rows];
}

/** `12:00:01 model.loaded  qwen3-4b …`, the most informative fields first. */
export function eventLine(event: RecordedEvent, width: number): Line {
  const kind = event.type.padEnd(Math.min(20, Math.floor(width / 3)));
  const color = hasFailed(event) ? 'red' : 'cyan';
  return line(
    span(`${timeOf(event)} `, { dim: true }),
    span(kind, { color }),
    ` ${fieldsOf(event).join(' ')}`,
  );
}

function timeOf(event: RecordedEvent | undefined): string {
  return event ? new Date(event.created_at).toTimeString().slice(0, 8) : '';
}

function colorOf({ events }: EventRow): Span['color'] & string {
  return events.some(hasFailed) ? 'red' : 'cyan';
}

function hasFailed({ type, data }: RecordedEvent): boolean {
  return data['outcome'] === 'failed' || type.endsWith('failed');
}

function whatOf(events: readonly RecordedEvent[]): string {
  const [first] = events;
  if (first === undefined) return '';
  const parts = first.type === 'chat.completed' ? chatParts(events) : sharedFields(events);
  const last = events.at(-1) ?? first;
  const ms = Date.parse(last.created_at) - Date.parse(first.created_at);
  return [...parts, ...(events.length > 1 ? [`in ${formatDuration(ms)}`] : [])].join(', ');
}

function chatParts(events: readonly RecordedEvent[]): string[] {
  const models = new Set(events.map(({ data }) => String(data['model'])));
  const ended = events.map(({ data }) => String(data['outcome'])).filter((outcome) => outcome !== 'finished');
  const others = [...new Set(ended)].map((outcome) =>
    events.length === 1 ? outcome : `${ended.filter((each) => each === outcome).length} ${outcome}`,
  );
  return [
    models.size === 1 ? [...models].join('') : `${models.size} models`,
    ...others,
    formatTokens(tokensOf(events)),
  ];
}

function tokensOf(events: readonly RecordedEvent[]): number {
  return events.reduce((sum, { data }) => {
    const usage = data['usage'] as { total_tokens?: number } | undefined;
    return sum + (usage?.total_tokens ?? 0);
  }, 0);
}

/** Empty for events that cost nothing by their nature. */
function creditsOf(events: readonly RecordedEvent[], format: (credits: number) => string): string {
  const costs = events.map(({ data }) => data['cost']).filter((cost) => typeof cost === 'number');
  return costs.length === 0 ? '' : format(costs.reduce((sum, cost) => sum + cost, 0));
}

/** Fields that need no name beside their value. */
const BARE = ['model', 'artifact', 'outcome', 'name'];

function fieldsOf({ data }: RecordedEvent): string[] {
  return Object.entries(data)
    .filter(([name]) => !/(^|_)id$/.test(name))
    .map(([name, value]) => (BARE.includes(name) ? textOf(value) : `${name}=${textOf(value)}`));
}

function sharedFields(events: readonly RecordedEvent[]): string[] {
  const [first = [], ...others] = events.map(fieldsOf);
  return first.filter((field) => others.every((fields) => fields.includes(field)));
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

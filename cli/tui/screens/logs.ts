import { LOG_LEVELS, stackOf, type LogEntry } from '../../daemon-control/logs/line.ts';
import { fields, heading, paragraph, span, type Color, type Line, type Span } from '../render/lines.ts';
import type { Screen } from '../screen.ts';
import type { Log, State } from '../state/state.ts';

export const logsScreen: Screen<Log> = {
  title: 'Logs',
  rows: logRows,
  id: ({ number }) => String(number),
  empty: 'No lines. L shows more levels.',
  columns: () => [
    { title: 'TIME', value: ({ entry }) => timeOf(entry.time), width: 12 },
    { title: 'LEVEL', value: levelOf, width: 5 },
    { title: 'MESSAGE', value: messageOf, width: 'rest' },
  ],
  share: { above: 0.6, left: 0.62 },
  detail: (state, row, { width }) => (row ? detailOf(row, width) : [statusLine(state)]),
};

export function logRows({ logs, logLevel }: State): readonly Log[] {
  return logLevel === 0 ? logs : logs.filter(({ entry }) => entry.level >= logLevel);
}

export function statusLine({ isFollowing, logLevel }: Pick<State, 'isFollowing' | 'logLevel'>): Line {
  const level = LOG_LEVELS[logLevel / 10 - 1] ?? 'all';
  return [span(`${isFollowing ? 'following' : 'not following (f follows)'}, level ${level}`, { dim: true })];
}

function timeOf(time: unknown): string {
  const date = new Date(typeof time === 'number' || typeof time === 'string' ? time : NaN);
  if (Number.isNaN(date.getTime())) return '-';
  return `${date.toTimeString().slice(0, 8)}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

const COLORS: Record<number, Color> = { 40: 'yellow', 50: 'red', 60: 'red' };

function levelOf({ entry }: Log): Span {
  const color = COLORS[entry.level];
  return span(
    LOG_LEVELS[entry.level / 10 - 1] ?? String(entry.level),
    color ? { color } : { dim: entry.level < 30 },
  );
}

function messageOf({ entry }: Log): string {
  const { msg, err } = entry;
  const fields = otherFields(entry);
  const isId = ([name]: [string, unknown]) => name.endsWith('_id');
  // The fields that distinguish lines come first.
  const parts = [...fields.filter((field) => !isId(field)), ...fields.filter(isId)].map(partOf);
  return [
    asText(msg ?? ''),
    ...parts,
    ...(err === undefined ? [] : [asText((err as { message?: unknown }).message ?? err)]),
  ].join('  ');
}

/** Fields of a request that need no name beside their value. */
const BARE = ['method', 'path', 'status'];

function partOf([name, value]: [name: string, value: unknown]): string {
  if (name === 'ms') return `${asText(value)} ms`;
  return BARE.includes(name) ? asText(value) : `${name}=${asText(value)}`;
}

const SHOWN_APART = ['level', 'time', 'msg', 'err'];

function otherFields(entry: LogEntry): [name: string, value: unknown][] {
  return Object.entries(entry).filter(([name]) => !SHOWN_APART.includes(name));
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function detailOf({ entry }: Log, width: number): readonly Line[] {
  const { time, msg, err } = entry;
  return [
    heading(asText(msg ?? '')),
    ...fields(
      [
        ['time', asText(time ?? '-')],
        ...otherFields(entry).map(([name, value]) => [name, asText(value)] as const),
      ],
      width,
    ),
    ...(err === undefined ? [] : paragraph(stackOf(err), width)),
  ];
}

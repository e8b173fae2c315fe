import { formatAmount, formatBytes, formatDuration } from '../../output/format.ts';
import {
  creditsPerHour,
  firstTokenSeconds,
  latestOf,
  memoryBytes,
  requestsOfLastMinute,
  requestsPerMinute,
  spanSeconds,
  spentInHour,
  tokensPerSecond,
  valuesOf,
  type ValueOf,
} from '../state/activity.ts';
import type { State } from '../state/state.ts';
import { drawGraph, valuesIn } from './graph.ts';
import { line, span, type Color, type Line } from './lines.ts';
import type { Theme } from './theme.ts';

type Series = { name: string; color: Color; valueOf: ValueOf; now: (state: State) => string };

const SERIES: readonly Series[] = [
  {
    name: 'tokens/s',
    color: 'cyan',
    valueOf: tokensPerSecond,
    now: (state) => formatRate(state.tokensPerSecond),
  },
  {
    name: 'requests/min',
    color: 'green',
    valueOf: requestsPerMinute,
    now: (state) => String(requestsOfLastMinute(state)),
  },
  {
    name: 'first token',
    color: 'yellow',
    valueOf: firstTokenSeconds,
    now: (state) => formatSeconds(latestOf(state, firstTokenSeconds)),
  },
  {
    name: 'memory',
    color: 'green',
    valueOf: memoryBytes,
    now: (state) => formatBytes(latestOf(state, memoryBytes) ?? null),
  },
  {
    name: 'credits/h',
    color: 'magenta',
    valueOf: creditsPerHour,
    now: (state) => formatAmount(spentInHour(state)),
  },
];

export const SERIES_COUNT = SERIES.length;

const NAME_WIDTH = 13;
const VALUE_WIDTH = 9;

/** Each series with its name and latest value, and below them how far back they go. */
export function activityGraphs(
  state: State,
  { width, height }: { width: number; height: number },
  theme: Theme,
) {
  const room = { height, width: width - NAME_WIDTH - (height === 1 ? VALUE_WIDTH : 0) };
  const columns = valuesIn(room.width, theme.glyphs);
  const lines = SERIES.flatMap((series): Line[] => {
    const drawn = drawGraph(valuesOf(state, series.valueOf, columns), room, theme.glyphs);
    const value = series.now(state);
    return drawn.map((text, row) => {
      const graph = span(text, { color: series.color });
      if (height === 1) return line(nameOf(series), graph, value.padStart(VALUE_WIDTH));
      const label =
        row === 0 ? nameOf(series) : span((row === 1 ? value : '').padEnd(NAME_WIDTH), { bold: true });
      return line(label, graph);
    });
  });
  const from = `${formatDuration(spanSeconds(state, columns) * 1000)} ago`;
  const scale = `${from.padEnd(Math.max(0, room.width - 3))}now`;
  return [...lines, line(' '.repeat(NAME_WIDTH), span(scale, { dim: true }))];
}

/** The same without graphics. */
export function latestValues(state: State): [name: string, value: string][] {
  return SERIES.map(({ name, now }) => [name, now(state)]);
}

function nameOf({ name }: Series) {
  return span(name.padEnd(NAME_WIDTH), { dim: true });
}

/** For a column of a list: the graph of one series, and its latest value. */
export function smallGraph(
  state: State,
  valueOf: ValueOf,
  width: number,
  { glyphs, isReader }: Theme,
): string {
  const value = formatRate(latestOf(state, valueOf) ?? 0);
  if (isReader) return value;
  const room = { width: width - RATE_WIDTH, height: 1 };
  const [drawn = ''] = drawGraph(valuesOf(state, valueOf, valuesIn(room.width, glyphs)), room, glyphs);
  return drawn + value.padStart(RATE_WIDTH);
}

const RATE_WIDTH = 6;

export function formatRate(rate: number): string {
  return rate.toFixed(rate >= 99.95 ? 0 : 1);
}

function formatSeconds(seconds: number | undefined): string {
  if (seconds === undefined) return '-';
  return seconds < 1 ? `${Math.round(seconds * 1000)} ms` : `${seconds.toFixed(1)} s`;
}

import type { ApiKey } from '../../../../../src/api/account/keys.ts';
import type { Usage } from '../../../../../src/api/account/usage.ts';

export type Group = 'model' | 'key' | 'task';
export type Measure = 'credits' | 'tokens' | 'requests';
type Row = Usage['data'][number];

export type Series = { name: string; values: number[]; total: number };

const SERIES_MAX = 7;
const STEP_SECONDS = { hour: 3_600, day: 86_400 } as const;

export function measureOf(row: Omit<Row, 'start'>, measure: Measure): number {
  if (measure === 'tokens') return row.prompt_tokens + row.completion_tokens;
  return row[measure];
}

/** Every bucket of the requested time, since the report omits those without requests. */
export function timesOf({ from, to, bucket }: Usage): number[] {
  const step = STEP_SECONDS[bucket === 'hour' ? 'hour' : 'day'];
  const first = Math.floor(Date.parse(from) / 1000 / step) * step;
  const count = Math.max(1, Math.ceil((Date.parse(to) / 1000 - first) / step));
  return Array.from({ length: count }, (_, index) => first + index * step);
}

/** The largest groups, and the rest combined. */
export function seriesOf(usage: Usage, measure: Measure, nameOf: (row: Row) => string): Series[] {
  const times = timesOf(usage);
  const places = new Map(times.map((time, index) => [time, index]));
  const found = new Map<string, Series>();
  for (const row of usage.data) {
    const name = nameOf(row);
    const series = found.get(name) ?? { name, values: times.map(() => 0), total: 0 };
    found.set(name, series);
    const place = places.get(Date.parse(row.start) / 1000);
    const value = measureOf(row, measure);
    series.total += value;
    if (place !== undefined) series.values[place] = (series.values[place] ?? 0) + value;
  }
  const sorted = [...found.values()].sort((a, b) => b.total - a.total);
  if (sorted.length <= SERIES_MAX) return sorted;
  const rest = sorted.slice(SERIES_MAX - 1);
  const sum = (index: number) => rest.reduce((total, { values }) => total + (values[index] ?? 0), 0);
  const others = {
    name: `${rest.length} others`,
    values: times.map((_, index) => sum(index)),
    total: rest.reduce((total, series) => total + series.total, 0),
  };
  return [...sorted.slice(0, SERIES_MAX - 1), others];
}

type Named = Pick<Row, 'model' | 'key' | 'task'>;

export function namesOf(group: Group, keys: readonly ApiKey[]): (row: Named) => string {
  if (group === 'model') return ({ model }) => model ?? '';
  if (group === 'task') return ({ task }) => task ?? '';
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  names.set('', 'command line').set('playground', 'playground');
  return ({ key = '' }) => names.get(key) ?? nameless(key);
}

function nameless(key: string): string {
  return key.startsWith('playground_') ? 'members’ playground' : `revoked key ${key}`;
}

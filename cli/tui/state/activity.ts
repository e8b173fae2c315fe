import { SAMPLE_SECONDS, SAMPLES_MAX, type ActivitySample } from '../../../src/api/management/activity.ts';
import type { State } from './state.ts';

export type Values = readonly (number | undefined)[];
export type ValueOf = (sample: ActivitySample) => number | null;

const SAMPLES_PER_MINUTE = 60 / SAMPLE_SECONDS;

/** The growing sample starts at nothing: divided by less than a second, it would jump. */
const perSecond = (count: number, { seconds }: ActivitySample) => count / Math.max(1, seconds);

export const tokensPerSecond: ValueOf = (sample) => perSecond(sample.generated_tokens, sample);
export const requestsPerMinute: ValueOf = (sample) => perSecond(sample.requests, sample) * 60;
export const firstTokenSeconds: ValueOf = (sample) => sample.first_token_seconds;
export const memoryBytes: ValueOf = (sample) => sample.memory_bytes;
export const creditsPerHour: ValueOf = (sample) => perSecond(sample.spent, sample) * 3600;
export const tokensPerSecondOf =
  (artifact: string): ValueOf =>
  (sample) =>
    perSecond(sample.models.find((each) => each.artifact === artifact)?.generated_tokens ?? 0, sample);

const slotOf = ({ at }: ActivitySample) => Math.round(Date.parse(at) / 1000 / SAMPLE_SECONDS);

/**
 * One value for each column, oldest first, by time; missing values are undefined. Each column is one sample, or the
 * average of as many as it takes to fit the hour.
 */
export function valuesOf(
  { data: { activity = [] }, showsHour }: State,
  valueOf: ValueOf,
  columns: number,
): Values {
  const latest = activity.at(-1);
  if (latest === undefined) return [];
  const each = samplesPerColumn(showsHour, columns);
  const sums = Array.from({ length: columns }, () => ({ sum: 0, count: 0 }));
  for (const sample of activity) {
    const column = sums.at(-1 - Math.floor((slotOf(latest) - slotOf(sample)) / each));
    const value = valueOf(sample);
    if (value === null || column === undefined) continue;
    column.sum += value;
    column.count += 1;
  }
  return sums.map(({ sum, count }) => (count === 0 ? undefined : sum / count));
}

/** How far back this many columns go. */
export function spanSeconds({ showsHour }: State, columns: number): number {
  return Math.min(3600, columns * samplesPerColumn(showsHour, columns) * SAMPLE_SECONDS);
}

function samplesPerColumn(showsHour: boolean, columns: number): number {
  return showsHour ? Math.max(1, Math.ceil((SAMPLES_MAX - 1) / columns)) : 1;
}

export function latestOf({ data: { activity = [] } }: State, valueOf: ValueOf): number | undefined {
  const found = activity.findLast((sample) => valueOf(sample) !== null);
  return (found && valueOf(found)) ?? undefined;
}

export function requestsOfLastMinute({ data: { activity = [] } }: State): number {
  return activity.slice(-SAMPLES_PER_MINUTE).reduce((sum, { requests }) => sum + requests, 0);
}

export function spentInHour({ data: { activity = [] } }: State): number {
  return activity.reduce((sum, { spent }) => sum + spent, 0);
}

import { toIso } from './clock.ts';
import { Failure } from './errors.ts';

const HOUR_MS = 3_600_000;
const DEFAULT_DAYS = 30;
/** Keeps a report small enough to draw. */
const BUCKETS_MAX = 1_000;

export const DAY_HOURS = 24;
export const BUCKET_HOURS = { hour: 1, day: DAY_HOURS, all: undefined } as const;
export type Bucket = keyof typeof BUCKET_HOURS;

export type Period = { from?: string; to?: string };
/** Hours since 1970, in UTC. `until` is exclusive. */
export type Hours = { from: number; until: number };

/** The hours of a report: `from` is rounded down, `to` up. By default, the last 30 days. */
export function wholeHours({ from, to }: Period, bucket: Bucket, now: number): Hours {
  const until = to === undefined ? Math.floor(now / HOUR_MS) + 1 : Math.ceil(Date.parse(to) / HOUR_MS);
  const today = Math.floor((until - 1) / DAY_HOURS) * DAY_HOURS;
  const first = today - (DEFAULT_DAYS - 1) * DAY_HOURS;
  const hours = { from: from === undefined ? first : Math.floor(Date.parse(from) / HOUR_MS), until };
  const width = BUCKET_HOURS[bucket];
  if (hours.until <= hours.from) throw invalid('to', 'to must be later than from.');
  if (width !== undefined && (hours.until - hours.from) / width > BUCKETS_MAX) {
    throw invalid(
      'from',
      `A report has at most ${BUCKETS_MAX} buckets. Choose a larger bucket or a later from.`,
    );
  }
  return hours;
}

export function isoOfHour(hour: number): string {
  return toIso(hour * HOUR_MS);
}

export function msOfHour(hour: number): number {
  return hour * HOUR_MS;
}

function invalid(param: string, message: string): Failure {
  return new Failure('invalid_value', message, { param });
}

import type { Clock } from '../base/clock.ts';
import { toCredits } from '../base/money.ts';
import {
  BUCKET_HOURS,
  DAY_HOURS,
  isoOfHour,
  wholeHours,
  type Bucket,
  type Hours,
  type Period,
} from '../base/whole-hours.ts';
import type { Store } from '../store/store.ts';

const COLUMNS = { model: 'model', task: 'task', key: 'key_id' } as const;

export type UsageGroup = keyof typeof COLUMNS;

export type UsageQuestion = Period & { bucket?: Bucket; group_by?: UsageGroup; key?: string };

type Sums = {
  requests: number;
  failed_requests: number;
  prompt_tokens: number;
  cached_tokens: number;
  completion_tokens: number;
  characters: number;
  seconds: number;
  images: number;
  cost_n: number;
};

type Row = Sums & { hour: number; group: string };

/** What an account used, in whole UTC hours. Reads totals, so a million requests take no longer than a few. */
export function createUsageReport({ store, clock }: { store: Store; clock: Clock }) {
  return function report(accountId: string, { from, to, bucket = 'day', group_by, key }: UsageQuestion) {
    const hours = wholeHours({ ...(from && { from }), ...(to && { to }) }, bucket, clock.now());
    const width = BUCKET_HOURS[bucket];
    const days = {
      firstDay: Math.ceil(hours.from / DAY_HOURS),
      endDay: Math.floor(hours.until / DAY_HOURS),
    };
    const rows = store
      .prepare<Row>(select({ width, group: group_by, ofKey: key !== undefined }))
      .all({ accountId, key, ...hours, ...(width !== 1 && days) });
    const startOf = createStartOf(hours, width);
    return {
      from: isoOfHour(hours.from),
      to: isoOfHour(hours.until),
      bucket,
      group_by: group_by ?? null,
      data: rows.map((row) => ({
        start: startOf(row.hour),
        ...(group_by !== undefined && { [group_by]: row.group }),
        ...sumsOf(row),
      })),
      total: sumsOf(totalOf(rows)),
    };
  };
}

export type UsageReport = ReturnType<typeof createUsageReport>;

/** Written once for all rows of a bucket, which are consecutive. */
function createStartOf({ from }: Hours, width: number | undefined) {
  let [last, written] = [NaN, ''];
  return (bucket: number): string => {
    if (bucket !== last) [last, written] = [bucket, isoOfHour(width === undefined ? from : bucket * width)];
    return written;
  };
}

type Selection = { width: number | undefined; group: UsageGroup | undefined; ofKey: boolean };

function select({ width, group, ofKey }: Selection): string {
  const bucket = bucketOf(width);
  const column = group === undefined ? "''" : COLUMNS[group];
  return `
  SELECT ${bucket} AS hour, ${column} AS "group", sum(requests) AS requests, sum(failed) AS failed_requests,
    sum(prompt_tokens) AS prompt_tokens, sum(cached_tokens) AS cached_tokens,
    sum(completion_tokens) AS completion_tokens, sum(characters) AS characters, sum(seconds) AS seconds,
    sum(images) AS images, sum(cost_n) AS cost_n
  FROM (${width === 1 ? hoursBetween('@from', '@until') : WITH_WHOLE_DAYS})
  ${ofKey ? 'WHERE key_id = @key' : ''} GROUP BY 1, 2 ORDER BY 1, 2`;
}

/** The column itself if possible: then its rows are already in order, and only those of one hour are sorted. */
function bucketOf(width: number | undefined): string {
  if (width === undefined) return '0';
  return width === 1 ? 'hour' : `hour / ${width}`;
}

const SUMS = `requests, failed, prompt_tokens, cached_tokens, completion_tokens, characters, seconds, images, cost_n`;

function hoursBetween(from: string, until: string): string {
  return `SELECT hour, model, task, key_id, ${SUMS} FROM usage_hours
    WHERE account_id = @accountId AND hour >= ${from} AND hour < ${until}`;
}

/** The whole days, and the hours before and after them. */
const WITH_WHOLE_DAYS = `
  SELECT day * ${DAY_HOURS} AS hour, model, task, key_id, ${SUMS} FROM usage_days
    WHERE account_id = @accountId AND day >= @firstDay AND day < @endDay
  UNION ALL ${hoursBetween('@from', `min(@until, @firstDay * ${DAY_HOURS})`)}
  UNION ALL ${hoursBetween(`max(@firstDay * ${DAY_HOURS}, @endDay * ${DAY_HOURS})`, '@until')}`;

const NOTHING: Sums = {
  requests: 0,
  failed_requests: 0,
  prompt_tokens: 0,
  cached_tokens: 0,
  completion_tokens: 0,
  characters: 0,
  seconds: 0,
  images: 0,
  cost_n: 0,
};
const NAMES = Object.keys(NOTHING) as (keyof Sums)[];

function totalOf(rows: readonly Sums[]): Sums {
  const total = { ...NOTHING };
  for (const row of rows) for (const name of NAMES) total[name] += row[name];
  return total;
}

function sumsOf({ cost_n: costN, ...row }: Sums) {
  const { requests, failed_requests, prompt_tokens, cached_tokens, completion_tokens } = row;
  const tokens = { prompt_tokens, cached_tokens, completion_tokens };
  const { characters, seconds, images } = row;
  return { requests, failed_requests, ...tokens, characters, seconds, images, credits: toCredits(costN) };
}

import { InvalidArgumentError, Option } from 'commander';
import type { Usage, UsageQuery } from '../../../src/api/account/usage.ts';
import { parseDuration } from '../../../src/base/units.ts';
import { timestamp } from '../../command-line/arguments.ts';
import { command } from '../../command.ts';
import { formatAmount, formatMoney } from '../../output/format.ts';
import { renderTable, type Column } from '../../output/table.ts';

type UsageOptions = {
  by?: NonNullable<UsageQuery['group_by']>;
  bucket?: NonNullable<UsageQuery['bucket']>;
  since?: number;
  from?: string;
  to?: string;
};
type UsageRow = Usage['data'][number] | (Usage['total'] & { start: '' });

export const usage = command<UsageOptions>({
  name: 'usage',
  group: 'Account:',
  summary: 'show requests, tokens and credits over time, by model, key or task',
  isPerAccount: true,
  examples: [
    'askd usage',
    'askd usage --by model --since 7d',
    'askd usage --by key --bucket all --from 2027-01-01 --to 2027-02-01',
    'askd usage --bucket hour --since 1d --json',
  ],
  configure(commander) {
    commander
      .addOption(
        new Option('--by <what>', 'one row for each model, key or task').choices(['model', 'key', 'task']),
      )
      .addOption(
        new Option(
          '--bucket <length>',
          'one row for each day or hour (UTC), or one for all (default: day)',
        ).choices(['day', 'hour', 'all']),
      )
      .addOption(
        new Option('--since <duration>', 'how far back: 12h, 7d (default: 30d)')
          .argParser(duration)
          .conflicts('from'),
      )
      .option('--from <date>', 'the first hour, such as 2027-01-31', timestamp)
      .option('--to <date>', 'the end (default: now)', timestamp);
  },
  async run({ connect, output }, { options: { by, bucket, since, from, to } }) {
    const client = await connect();
    const end = to === undefined ? Date.now() : Date.parse(to);
    const start = since === undefined ? from : new Date(end - since).toISOString();
    const report = await client.usage({
      ...(start !== undefined && { from: start }),
      ...(to !== undefined && { to }),
      ...(bucket !== undefined && { bucket }),
      ...(by !== undefined && { group_by: by }),
    });
    const names = new Map(by === 'key' ? (await client.listKeys()).map(({ id, name }) => [id, name]) : []);
    output.result({ schema: 'usage/1', ...report }, () => {
      if (report.data.length === 0)
        return `No requests from ${minute(report.from)} to ${minute(report.to)} UTC.`;
      const total = report.data.length > 1 ? [{ ...report.total, start: '' as const }] : [];
      return renderTable<UsageRow>([...report.data, ...total], columns(report, names), output);
    });
  },
});

type KeyNames = ReadonlyMap<string, string>;

function columns({ bucket, group_by: by, data }: Usage, names: KeyNames): Column<UsageRow>[] {
  const count = (
    title: string,
    name: 'requests' | 'failed_requests' | 'prompt_tokens' | 'completion_tokens',
  ) => ({
    title,
    value: (row: UsageRow) => String(row[name]),
    align: 'right' as const,
  });
  const when = {
    title: bucket === 'hour' ? 'HOUR (UTC)' : 'DAY (UTC)',
    value: (row: UsageRow) => startOf(row, bucket),
  };
  const first = bucket === 'all' ? [] : [when];
  return [
    ...first,
    ...(by === null
      ? []
      : [{ title: by.toUpperCase(), value: (row: UsageRow) => groupOf(row, { by, bucket, names }) }]),
    count('REQUESTS', 'requests'),
    ...(data.some(({ failed_requests: failed }) => failed > 0) ? [count('FAILED', 'failed_requests')] : []),
    count('TOKENS IN', 'prompt_tokens'),
    count('TOKENS OUT', 'completion_tokens'),
    {
      title: 'CREDITS',
      value: ({ credits }) => formatAmount(credits),
      exact: ({ credits }) => formatMoney(credits),
      align: 'decimal',
    },
  ];
}

function startOf({ start }: UsageRow, bucket: Usage['bucket']): string {
  if (start === '') return 'total';
  return bucket === 'hour' ? minute(start) : start.slice(0, 10);
}

type Grouping = { by: NonNullable<Usage['group_by']>; bucket: Usage['bucket']; names: KeyNames };

/** A revoked key has only its id; requests from the command line have no key. */
function groupOf(row: UsageRow, { by, bucket, names }: Grouping): string {
  if (row.start === '') return bucket === 'all' ? 'total' : '';
  const group = (row as Usage['data'][number])[by] ?? '';
  return group === '' ? '(no key)' : (names.get(group) ?? group);
}

function minute(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ');
}

function duration(text: string): number {
  const ms = parseDuration(text);
  if (ms !== undefined && ms > 0 && ms < Infinity) return ms;
  throw new InvalidArgumentError('It must be a duration such as 12h or 7d.');
}

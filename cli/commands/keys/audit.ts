import { setTimeout as sleep } from 'node:timers/promises';
import type { AuditQuery, AuditRecord } from '../../../src/api/account/audit.ts';
import { Failure } from '../../../src/base/errors.ts';
import type { Client } from '../../client/client.ts';
import { integerBetween, past } from '../../command-line/arguments.ts';
import { command } from '../../command.ts';
import type { Context } from '../../context.ts';
import { formatCount } from '../../output/format.ts';
import { renderTable, type Column } from '../../output/table.ts';

type AuditOptions = {
  since?: number;
  action?: string;
  by?: string;
  object?: string;
  limit: number;
  follow?: true;
  verify?: true;
  format?: 'csv' | 'jsonl';
};

const LOOK_EVERY_MS = 1_000;

export const audit = command<AuditOptions>({
  name: 'audit',
  group: 'Access:',
  summary: 'show who changed what, and verify that the log is intact',
  details:
    'Every change to keys, sessions, settings, the wallet, webhooks and models is recorded, and so are paid top-ups ' +
    'and failed logins. Settings, secrets and key files that were changed outside askd are recorded at the next ' +
    'start. With --json, each record has the state before and after. --format exports all matching records.',
  isPerAccount: true,
  examples: [
    'askd audit',
    'askd audit --since 24h --action api_key',
    'askd audit --by root_token --json',
    'askd audit --verify',
    'askd audit --format csv > audit.csv',
  ],
  configure: (commander) =>
    void commander
      .option('--since <time>', 'only records since then: 10m, 24h, or a date', past)
      .option('--action <action>', 'such as api_key.create, or api_key for all actions on keys')
      .option('--by <actor>', 'root_token, session, api_key, operator, daemon, or an id or name')
      .option('--object <id>', 'only records about this key, model, setting …')
      .option('-n, --limit <count>', 'maximum number', integerBetween(1, 500), 50)
      .option('-f, --follow', 'keep printing new records')
      .option('--verify', 'verify the hash chain of the log instead')
      .addOption(
        commander.createOption('--format <format>', 'export all matching records').choices(['csv', 'jsonl']),
      ),
  async run(context, { options: { since, limit, follow, verify, format, action, by, object } }) {
    const client = await context.connect();
    if (verify) return verifyChain(context, client);
    const query = {
      ...(action !== undefined && { action }),
      ...(by !== undefined && { by }),
      ...(object !== undefined && { object }),
      ...(since !== undefined && { since: new Date(since).toISOString() }),
    };
    if (format) return exportAll(context, client, { query, format });
    const page = await client.audit.list({ ...query, limit });
    if (follow) return followNew(context, client, { query, first: page.records });
    const { output } = context;
    output.result({ schema: 'audit/1', ...page }, () =>
      page.records.length === 0 ? 'No records.' : renderTable(page.records, columnsFor(page.records), output),
    );
    if (page.has_more)
      output.note('There are more records: askd audit --limit 500, or --format csv for all.');
  },
});

const COLUMNS: Column<AuditRecord>[] = [
  { title: 'TIME', value: ({ created_at: at }) => at.slice(0, 19).replace('T', ' ') },
  { title: 'ACTION', value: ({ action }) => action },
  { title: 'OBJECT', value: ({ object }) => object ?? '', shrinks: true },
  { title: 'BY', value: whoText, shrinks: true },
  { title: 'FROM', value: ({ address }) => address ?? '' },
  { title: 'OUTCOME', value: ({ outcome, code }) => code ?? outcome },
];

const ACCOUNT: Column<AuditRecord> = { title: 'ACCOUNT', value: ({ account }) => account ?? 'default' };

/** The column is omitted if there are no records of other accounts. */
function columnsFor(records: readonly AuditRecord[]): Column<AuditRecord>[] {
  const isShared = records.some(({ account }) => account !== undefined);
  return isShared ? [...COLUMNS.slice(0, 3), ACCOUNT, ...COLUMNS.slice(3)] : COLUMNS;
}

/** The command line has the root token and names no program. */
function whoText({ actor: { kind, id, name }, client }: AuditRecord): string {
  if (kind === 'root_token') return client === null ? 'command line' : `root token (${client})`;
  if (kind === 'operator') return 'operator of the machine';
  return name === null ? (id ?? kind) : `${kind === 'api_key' ? 'key ' : ''}${name}`;
}

/** Scripts learn about a broken chain from the exit code. */
async function verifyChain({ output }: Context, client: Client): Promise<number> {
  const verification = await client.audit.verify();
  const { records, first, last, hash, findings } = verification;
  output.result({ schema: 'audit-verify/1', ...verification }, () =>
    findings.length > 0
      ? findings.join('\n')
      : `${formatCount(records, 'record')} (${first ?? 0} to ${last ?? 0}) unchanged; the last hash is ${hash ?? 'none'}`,
  );
  if (findings.length === 0) return 0;
  throw new Failure('store_damaged', 'The audit log was edited outside askd.', {
    details: { fix: 'compare it with a backup, restored into an empty home: askd restore FILE' },
  });
}

type Export = { query: AuditQuery; format: 'csv' | 'jsonl' };

async function exportAll({ output }: Context, client: Client, { query, format }: Export): Promise<void> {
  const { auditRecords, CSV_HEADER, toCsvLine } = await import('../../output/audit-lines.ts');
  const toLine = format === 'csv' ? toCsvLine : (record: AuditRecord) => JSON.stringify(record);
  if (format === 'csv') output.line(CSV_HEADER);
  for await (const record of auditRecords(client, query)) output.line(toLine(record));
}

type Following = { query: AuditQuery; first: readonly AuditRecord[] };

/** Starts with the latest records, oldest first as in a log file. With --json, each record is one line. */
async function followNew({ output, signal }: Context, client: Client, { query, first }: Following) {
  const print = (records: readonly AuditRecord[]) => {
    for (const record of records)
      output.line(
        output.json ? JSON.stringify(record) : COLUMNS.map(({ value }) => value(record)).join('  '),
      );
  };
  print([...first].reverse());
  let after = first[0]?.seq ?? 0;
  for (;;) {
    const { records, has_more: hasMore } = await client.audit.list({ ...query, after, limit: 500 });
    print(records);
    after = records.at(-1)?.seq ?? after;
    if (!hasMore) await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
}

import type { Status } from '../../../src/api/management/daemon.ts';
import { command } from '../../command.ts';
import type { Context } from '../../context.ts';
import { EXIT_UNREACHABLE } from '../../exit-codes.ts';
import { formatBytes, formatCount, formatDuration, formatAmount } from '../../output/format.ts';
import { loadedModelsTable } from '../../output/loaded-models-table.ts';
import { renderFields } from '../../output/table.ts';

export const status = command<{ watch?: true }>({
  name: 'status',
  group: 'Daemon:',
  summary: 'show the daemon, its models and its load',
  details:
    'Never starts the daemon. Exits with 6 if it is not running. With --watch it refreshes every two seconds until Ctrl-C; ' +
    'with --json, it prints one line each time.',
  examples: ['askd status', 'askd status --json', 'askd status --watch'],
  configure: (commander) => void commander.option('--watch', 'refresh every two seconds'),
  async run(context, { options }) {
    if (options.watch) return watchStatus(context);
    const found = await readStatus(context);
    if (found === undefined) return reportAbsence(context);
    context.output.result({ schema: 'status/1', running: true, ...found }, () => statusText(found, context));
  },
});

async function readStatus({ connect, options, paths, signal }: Context): Promise<Status | undefined> {
  if (options.host === undefined) {
    const { findDaemon } = await import('../../daemon-control/process.ts');
    if ((await findDaemon({ paths, signal })) === undefined) return undefined;
  }
  const client = await connect();
  return client.status();
}

async function watchStatus(context: Context): Promise<never> {
  const { watch } = await import('../../output/watch.ts');
  return watch(context, async () => {
    const found = await readStatus(context).catch(() => undefined);
    context.signal.throwIfAborted();
    if (found === undefined) return absence(context);
    return { document: { schema: 'status/1', running: true, ...found }, text: statusText(found, context) };
  });
}

function absence({ paths }: Context) {
  const document = { schema: 'status/1', running: false, home: paths.home };
  const text = renderFields([
    ['daemon', 'not running'],
    ['home', paths.home],
  ]);
  return { document, text };
}

function reportAbsence(context: Context): number {
  const { output } = context;
  const { document, text } = absence(context);
  output.result(document, () => text);
  output.note('fix: askd up');
  return EXIT_UNREACHABLE;
}

function statusText(status: Status, { output }: Context): string {
  const fields = renderFields([
    ['daemon', `running, pid ${status.pid}`],
    ['version', status.version],
    ['up for', formatDuration(status.uptime_seconds * 1000)],
    ['home', status.home],
    ['base URL', status.base_url],
    ['memory', formatBytes(status.memory_bytes)],
    ['keys', `${status.active_keys} active`],
    ['load', `${formatCount(status.requests_in_flight, 'request')} in flight`],
    ['models', `${status.models.length} in memory`],
    ...ignoredFields(status),
    ['tier', status.tier],
    ['wallet', `${formatAmount(status.wallet.balance)} credits`],
    ...recentNotices(status).map(({ message }) => ['notice', message] as const),
    ...webhookFields(status.webhooks),
  ]);
  return status.models.length === 0 ? fields : `${fields}\n\n${loadedModelsTable(status.models, output)}`;
}

const IGNORED_SHOWN = 5;

/** Client parameters that had no effect. */
function ignoredFields({ ignored_parameters: ignored }: Status): [string, string][] {
  const shown = ignored.slice(0, IGNORED_SHOWN);
  const fields = shown.map(({ parameter, route, requests }): [string, string] => [
    'ignored',
    `${parameter} in ${formatCount(requests, 'request')} to ${route}`,
  ]);
  const more = ignored.length - shown.length;
  return more === 0 ? fields : [...fields, ['ignored', `${more} more; askd status --json`]];
}

const NOTICE_SHOWN_MS = 7 * 24 * 3600 * 1000;

function recentNotices({ notices }: Status): Status['notices'] {
  return notices.filter((notice) => Date.now() - Date.parse(notice.created_at) < NOTICE_SHOWN_MS);
}

/** Empty if there are no webhooks. A disabled webhook cannot report itself. */
function webhookFields({ state, enabled, pending, disabled }: Status['webhooks']): [string, string][] {
  if (enabled + disabled.length === 0) return [];
  const waiting = pending === 0 ? '' : `, ${formatCount(pending, 'delivery', 'deliveries')} pending`;
  return [
    ['webhooks', `${enabled} active${waiting}${state === 'delivering' ? '' : ` (${state})`}`],
    ...disabled.map(({ id, name }): [string, string] => [
      'disabled',
      `webhook ${name}; askd webhooks show ${id}`,
    ]),
  ];
}

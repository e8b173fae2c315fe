import { version } from '../../src/base/version.ts';
import type { Services } from '../compose.ts';
import { measureEventLoop } from './event-loop.ts';
import { createOpenFiles } from './open-files.ts';
import type { Labels, Registry } from './registry.ts';

type Read = Pick<
  Services,
  'accounts' | 'upstreamServers' | 'pool' | 'wallet' | 'webhooks' | 'boot' | 'clock'
>;
type Value = readonly [Labels, number];

const alone = (value: number): Value[] => [[{}, value]];

/** Values that are read when the metrics are scraped. */
export function addGauges({ gauge }: Registry, services: Read): () => void {
  const loop = measureEventLoop();
  addModels(gauge, services);
  addUpstreams(gauge, services);
  addAccounts(gauge, services);
  addProcess(gauge, services);
  gauge('askd_event_loop_lag_seconds', 'Delay of the event loop in the last ten seconds.', () =>
    loop.lag().map(([quantile, seconds]): Value => [{ quantile }, seconds]),
  );
  return loop.stop;
}

type Gauge = Registry['gauge'];

function addModels(gauge: Gauge, { pool }: Pick<Read, 'pool'>): void {
  type Model = ReturnType<Read['pool']['status']>[number];
  const byModel = (name: string, help: string, valueOf: (model: Model) => number) =>
    gauge(name, help, () => pool.status().map((model): Value => [{ model: model.artifact }, valueOf(model)]));
  byModel('askd_num_requests_running', 'Requests that hold a slot of the model.', ({ busy }) => busy);
  byModel('askd_num_requests_waiting', 'Requests that wait for the model.', ({ queued }) =>
    Math.max(0, queued),
  );
  byModel('askd_slots', 'Requests that the model serves at a time.', ({ slots }) => slots);
  byModel(
    'askd_model_memory_bytes',
    'Memory of the model, on the host and on graphics cards.',
    ({ bytes }) => bytes,
  );
}

function addUpstreams(gauge: Gauge, { upstreamServers }: Pick<Read, 'upstreamServers'>): void {
  type State = ReturnType<Read['upstreamServers']['all']>[number];
  const byServer = (name: string, help: string, valueOf: (state: State) => number, type?: 'counter') =>
    gauge(
      name,
      help,
      () =>
        upstreamServers
          .all()
          .map((state): Value => [{ model: state.model, server: state.url }, valueOf(state)]),
      type,
    );
  byServer('askd_upstream_server_available', 'Whether the server answered its last request.', (state) =>
    state.isAvailable ? 1 : 0,
  );
  byServer(
    'askd_upstream_requests_running',
    'Requests that the server is working on.',
    ({ running }) => running,
  );
  byServer(
    'askd_upstream_failures_total',
    'Requests that the server did not answer, since its model was opened.',
    ({ failuresTotal }) => failuresTotal,
    'counter',
  );
}

/** Summed over all accounts: a label per account would reveal who uses this machine to everyone who reads metrics. */
function addAccounts(
  gauge: Gauge,
  { accounts, wallet, webhooks }: Pick<Read, 'accounts' | 'wallet' | 'webhooks'>,
): void {
  const inAll = (valueOf: (accountId: string) => number) => () =>
    alone(accounts.list().reduce((sum, { id }) => sum + valueOf(id), 0));
  gauge(
    'askd_credits_balance',
    'Credits in all wallets.',
    inAll((id) => wallet.balance(id).balance),
  );
  gauge(
    'askd_credits_held',
    'Credits held for running requests.',
    inAll((id) => wallet.balance(id).held),
  );
  gauge(
    'askd_webhook_deliveries_pending',
    'Webhook deliveries that are due or waiting for a retry.',
    inAll((id) => webhooks.status(id).pending),
  );
  gauge(
    'askd_webhook_deliveries_total',
    'Attempts at webhook deliveries, by the state that they led to.',
    () => Object.entries(webhooks.attempts()).map(([state, count]): Value => [{ state }, count]),
    'counter',
  );
}

function addProcess(gauge: Gauge, { boot, clock }: Pick<Read, 'boot' | 'clock'>): void {
  const openFiles = createOpenFiles();
  gauge('askd_build_info', 'The version, as a label.', () => [[{ version }, 1]]);
  gauge('askd_http_requests_in_flight', 'HTTP requests that are being answered.', () =>
    alone(boot.inFlight()),
  );
  gauge('askd_process_start_time_seconds', 'When the daemon started, in Unix time.', () =>
    alone(boot.startedAt / 1000),
  );
  gauge('askd_process_uptime_seconds', 'How long the daemon has run.', () =>
    alone((clock.now() - boot.startedAt) / 1000),
  );
  gauge('askd_process_resident_memory_bytes', 'Memory of the daemon, without its runners.', () =>
    alone(process.memoryUsage.rss()),
  );
  gauge('askd_process_open_fds', 'Open files and sockets of the daemon.', () =>
    openFiles().map((count) => [{}, count]),
  );
  gauge(
    'askd_process_cpu_seconds_total',
    'Processor time of the daemon, without its runners.',
    () => {
      const { user, system } = process.cpuUsage();
      return alone((user + system) / 1e6);
    },
    'counter',
  );
}

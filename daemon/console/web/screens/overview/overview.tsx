import { useQuery } from '@tanstack/react-query';
import type { LoadedModel } from '../../../../../src/api/management/memory.ts';
import type { Status } from '../../../../../src/api/management/daemon.ts';
import type { Usage } from '../../../../../src/api/account/usage.ts';
import { call } from '../../data/api.ts';
import { bytes, credits, duration, moment, number, short } from '../../data/format.ts';
import { useLive, type Live } from '../../data/live.ts';
import { Problem } from '../../parts/problem.tsx';
import { Sparkline } from '../../parts/sparkline.tsx';
import { Checks } from './checks.tsx';
import { FirstSteps } from './first-steps.tsx';

export function Overview() {
  const live = useLive();
  const status = live.latest?.status;
  return (
    <>
      <h1>Overview</h1>
      {status === undefined ? (
        <p className="quiet">Waiting for the daemon…</p>
      ) : (
        <>
          <Notices notices={status.notices} />
          <FirstSteps />
          <Now live={live} status={status} />
          <Today />
          <Models models={status.models} />
          <Checks />
          <div className="columns">
            <Latest events={live.events} />
            <Daemon status={status} />
          </div>
        </>
      )}
    </>
  );
}

function Notices({ notices }: { notices: Status['notices'] }) {
  if (notices.length === 0) return null;
  return (
    <section className="card" aria-label="Notices">
      {notices.map(({ id, message, created_at: at }) => (
        <p key={id}>
          <span className="badge warn">Notice</span> {message}{' '}
          <span className="quiet small">{moment(at)}</span>
        </p>
      ))}
    </section>
  );
}

function Now({ live, status }: { live: Live; status: Status }) {
  const speed = live.samples.slice(-5).reduce((sum, { tokensPerSecond }) => sum + tokensPerSecond / 5, 0);
  return (
    <section className="tiles" aria-label="Now">
      <div className="card tile">
        <h2>Tokens per second</h2>
        <span className="value">{speed >= 10 ? Math.round(speed) : speed.toFixed(1)}</span>
        <Sparkline
          label="Tokens per second in the last two minutes"
          values={live.samples.map(({ tokensPerSecond }) => tokensPerSecond)}
        />
      </div>
      <div className="card tile">
        <h2>Requests in progress</h2>
        <span className="value">{status.requests_in_flight}</span>
        <Sparkline
          label="Requests in progress in the last two minutes"
          values={live.samples.map(({ requestsInFlight }) => requestsInFlight)}
        />
      </div>
      <Tile name="Balance" value={credits(status.wallet.balance)}>
        credits
        {status.wallet.held > 0 && `, ${credits(status.wallet.held)} held for running requests`}
      </Tile>
      <Tile name="Memory" value={bytes(memoryOf(status))}>
        daemon and {status.models.length} {status.models.length === 1 ? 'model' : 'models'}
      </Tile>
    </section>
  );
}

/** Models run in separate processes. */
function memoryOf({ memory_bytes: daemon, models }: Status): number {
  return models.reduce((sum, model) => sum + model.bytes, daemon);
}

function Tile({ name, value, children }: { name: string; value: string; children?: React.ReactNode }) {
  return (
    <div className="card tile">
      <h2>{name}</h2>
      <span className="value">{value}</span>
      {children !== undefined && <span className="quiet small">{children}</span>}
    </div>
  );
}

function Today() {
  const from = `${new Date().toISOString().slice(0, 10)}T00:00:00Z`;
  const { data, error } = useQuery({
    queryKey: ['usage', 'today', from],
    queryFn: () => call<Usage>('GET', `/api/usage?bucket=all&from=${from}`),
  });
  if (!data) return <Problem error={error} />;
  const { requests, failed_requests: failed, prompt_tokens: read, completion_tokens: made } = data.total;
  return (
    <section aria-label="Today" className="tiles">
      <Tile name="Requests today" value={number(requests)}>
        since midnight in UTC
      </Tile>
      <Tile name="Tokens today" value={short(read + made)}>
        {short(read)} read, {short(made)} generated
      </Tile>
      <Tile name="Credits today" value={credits(data.total.credits)} />
      <Tile name="Errors today" value={number(failed)}>
        {requests === 0 ? 'no requests yet' : `${((failed / requests) * 100).toFixed(1)} % of requests`}
      </Tile>
    </section>
  );
}

function Models({ models }: { models: readonly LoadedModel[] }) {
  return (
    <section className="card">
      <h2>Models in memory</h2>
      {models.length === 0 ? (
        <p className="quiet">None. The first request loads the model that it needs.</p>
      ) : (
        <div className="scroll" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th>Model</th>
                <th>State</th>
                <th>Device</th>
                <th className="number">Memory</th>
                <th className="number">Context</th>
                <th className="number">Slots in use</th>
                <th className="number">Waiting</th>
              </tr>
            </thead>
            <tbody>
              {models.map((model) => (
                <ModelRow key={model.artifact} model={model} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function ModelRow({ model }: { model: LoadedModel }) {
  const { progress, state, context_tokens: context } = model;
  const percent = state === 'loading' && progress !== null ? ` ${Math.round(progress * 100)} %` : '';
  return (
    <tr>
      <td>
        {model.services.join(', ') || model.artifact}
        <div className="quiet small">{model.artifact}</div>
      </td>
      <td>
        <span className={`badge ${state === 'loaded' ? 'good' : ''}`}>
          {state}
          {percent}
        </span>
      </td>
      <td>{model.device ?? '–'}</td>
      <td className="number">{bytes(model.bytes)}</td>
      <td className="number">{context === null ? '–' : number(context)}</td>
      <td className="number">
        {model.busy} of {model.slots}
      </td>
      <td className="number">{model.queued}</td>
    </tr>
  );
}

function Latest({ events }: { events: Live['events'] }) {
  return (
    <section className="card">
      <h2>Latest events</h2>
      {events.length === 0 && <p className="quiet">Nothing has happened yet.</p>}
      <table>
        <tbody>
          {events.slice(0, 12).map(({ id, type, created_at: at }) => (
            <tr key={id}>
              <td>
                <code>{type}</code>
              </td>
              <td className="number quiet">{moment(at)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Daemon({ status }: { status: Status }) {
  const rows: [string, string][] = [
    ['Address for applications', status.base_url],
    ['Version', status.version],
    ['Running for', duration(status.uptime_seconds)],
    ['Process', String(status.pid)],
    ['Home', status.home],
    ['Tier', status.tier],
    ['Webhooks', `${status.webhooks.enabled} enabled, ${status.webhooks.pending} deliveries pending`],
  ];
  return (
    <section className="card">
      <h2>Daemon</h2>
      <table>
        <tbody>
          {rows.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                <code>{value}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

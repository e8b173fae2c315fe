import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { daemonWith } from '../../helpers/daemon/chat.ts';
import { randomModel } from '../../helpers/models/models.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';
import { monitoringFile, promtool, startPrometheus } from '../../helpers/servers/prometheus.ts';

type Targets = { activeTargets: { health: string; lastError: string }[] };
type Rules = { groups: { rules: { name: string; health: string; lastError?: string }[] }[] };
type Vector = { result: { metric: Record<string, string>; value: [number, string] }[] };
type Dashboard = { panels: { title: string; targets: { expr: string }[] }[] };

const names = (text: string) => new Set(text.match(/\baskd_[a-z0-9_]+/g));
const dashboard = JSON.parse(monitoringFile('grafana-dashboard.json')) as Dashboard;
const queries = dashboard.panels.flatMap(({ targets }) =>
  targets.map(({ expr }) => expr.replaceAll('$model', '.*').replaceAll('$__rate_interval', '1m')),
);

test(
  'a real Prometheus scrapes the daemon, and evaluates each alert and each query of the dashboard',
  { timeout: 120_000 },
  async () => {
    const daemon = await daemonWith({ m: { path: (await randomModel('llama')).path } });
    await daemon.chat({ max_tokens: 8, seed: 1 });
    await daemon.chat({ model: 'none' });
    const prometheus = await startPrometheus(daemon);
    const poll = <Data>(path: string) =>
      expect.poll(() => prometheus.ask<Data>(path), { timeout: 60_000, interval: 200 });

    expect(await promtool('check', 'config', prometheus.config)).toContain('SUCCESS');
    await poll<Targets>('targets').toMatchObject({
      data: { activeTargets: [{ health: 'up', lastError: '' }] },
    });
    await poll<Vector>('query?query=askd_requests_total').toMatchObject({
      data: { result: [{ metric: { model: 'm', outcome: 'finished' }, value: [expect.anything(), '1'] }] },
    });
    for (const query of queries) {
      const answer = await prometheus.ask<Vector>(`query?query=${encodeURIComponent(query)}`);
      expect(answer?.status, query).toBe('success');
    }
    await expect
      .poll(
        async () => {
          const groups = (await prometheus.ask<Rules>('rules'))?.data.groups ?? [];
          return groups.flatMap(({ rules }) => rules.map(({ health }) => health));
        },
        { timeout: 60_000, interval: 200 },
      )
      .toEqual(new Array(10).fill('ok'));
  },
);

test('each metric of the alerts and of the dashboard exists', async () => {
  const daemon = await daemonWith({});
  const text = (await daemon.call('GET', '/metrics', { token: daemon.key })).text;
  const known = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
  const isKnown = (name: string) => known.has(name) || known.has(name.replace(/_(bucket|sum|count)$/, ''));
  const used = [...names(queries.join(' ')), ...names(monitoringFile('alerts.yml'))];
  expect(used.filter((name) => !isKnown(name))).toEqual([]);
  expect(used.length).toBeGreaterThan(20);
});

const ALERTS = fileURLToPath(new URL('../../../examples/monitoring/alerts.yml', import.meta.url));

/** The alerts that fire after half an hour of these series, one value a minute. */
async function firing(series: Record<string, string>, alert: string): Promise<string> {
  const given = Object.entries(series).map(([name, values]) => ({ series: name, values }));
  const cases = {
    input_series: given,
    interval: '1m',
    alert_rule_test: [{ eval_time: '30m', alertname: alert }],
  };
  const file = join(temporaryFolder(), 'test.yml');
  writeFileSync(file, JSON.stringify({ rule_files: [ALERTS], evaluation_interval: '1m', tests: [cases] }));
  return promtool('test', 'rules', file).then(
    () => '',
    (error: Error & { stdout: string; stderr: string }) => error.stdout + error.stderr,
  );
}

test.each([
  ['AskdDown', { 'up{job="askd"}': '0x40' }],
  ['AskdRunnerCrashes', { 'askd_model_unloads_total{model="m",reason="crashed"}': '0x18 3x20' }],
  ['AskdModelNotLoading', { 'askd_model_load_failures_total{model="m",code="disk_full"}': '_x25 1x10' }],
  ['AskdWebhooksPending', { askd_webhook_deliveries_pending: '5000x40' }],
  ['AskdEventLoopBlocked', { 'askd_event_loop_lag_seconds{quantile="0.99"}': '0.9x40' }],
  ['AskdRateLimited', { 'askd_rate_limit_refusals_total{code="rate_limit_exceeded"}': '0+120x40' }],
  [
    'AskdServerErrors',
    {
      'askd_http_requests_total{route="/v1/x",status="500"}': '0+10x40',
      'askd_http_requests_total{route="/v1/x",status="200"}': '0+50x40',
    },
  ],
])('%s fires when its time is up, and not before', async (alert, series) => {
  // promtool expects no alert, so it complains about any that fires.
  expect(await firing(series, alert)).toContain(`alertname="${alert}"`);
  const calm = Object.fromEntries(
    Object.keys(series).map((name) => [name, name.startsWith('up') ? '1x40' : '0x40']),
  );
  expect(await firing(calm, alert)).toBe('');
});

test('the alerts pass promtool, and each names what to do', async () => {
  expect(await promtool('check', 'rules', ALERTS)).toContain('SUCCESS');
  const text = monitoringFile('alerts.yml');
  expect(text.match(/action:/g)).toHaveLength(text.match(/alert:/g)?.length ?? 0);
});

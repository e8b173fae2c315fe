import { expect, test } from 'vitest';
import { daemonWith } from '../../helpers/daemon/chat.ts';
import { randomModel } from '../../helpers/models/models.ts';
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

test('the alerts are what promtool expects, and each names what to do', async () => {
  const file = new URL('../../../examples/monitoring/alerts.yml', import.meta.url).pathname;
  expect(await promtool('check', 'rules', file)).toContain('SUCCESS');
  const text = monitoringFile('alerts.yml');
  expect(text.match(/action:/g)).toHaveLength(text.match(/alert:/g)?.length ?? 0);
});

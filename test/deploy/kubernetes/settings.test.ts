import { readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { StatefulSet } from 'kubernetes-types/apps/v1.js';
import type { ConfigMap } from 'kubernetes-types/core/v1.js';
import { expect, test } from 'vitest';
import { packageRoot } from '../../../src/base/paths.ts';
import { loadSettings, readEnvironment } from '../../../src/config/config.ts';
import { send, startDaemon } from '../../helpers/daemon/daemon.ts';
import { probesOf, resources } from '../../helpers/docs/kubernetes/manifests.ts';

const SETS = resources<StatefulSet>('StatefulSet');
const dockerfile = readFileSync(join(packageRoot, 'deploy', 'Dockerfile'), 'utf8');

/** The StatefulSet of askd and its only container. */
function askd() {
  const set = SETS.find(({ metadata }) => metadata?.name === 'askd');
  const container = set?.spec?.template.spec?.containers[0];
  if (!set?.spec || !container) throw new Error('askd has no StatefulSet.');
  return { spec: set.spec, pod: set.spec.template.spec, container };
}

const settings = (): Record<string, string> =>
  resources<ConfigMap>('ConfigMap').find(({ metadata }) => metadata?.name === 'askd-settings')?.data ?? {};

/** The image's variables, overridden by the ConfigMap's. */
function environment(): Record<string, string> {
  const [, cpu = ''] = dockerfile.split(/^FROM \S+ AS cpu$/m);
  const ofImage = [...cpu.matchAll(/(ASKD_[A-Z_]+)=(\S+)/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
  return { ...(Object.fromEntries(ofImage) as Record<string, string>), ...settings() };
}

test('askd has its database to itself, and is confined as under compose', () => {
  const { spec, pod, container } = askd();
  expect(spec.replicas).toBe(1);
  const [, uid] = /useradd --uid (\d+)/.exec(dockerfile) ?? [];
  expect(pod).toMatchObject({
    automountServiceAccountToken: false,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: Number(uid),
      fsGroup: Number(uid),
      fsGroupChangePolicy: 'OnRootMismatch',
      seccompProfile: { type: 'RuntimeDefault' },
    },
  });
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  const [, volume = ''] = /^VOLUME (\S+)$/m.exec(dockerfile) ?? [];
  const writable = container.volumeMounts?.map(({ mountPath }) => mountPath);
  expect(writable).toEqual([volume, '/tmp']);
  expect(settings()['ASKD_HOME']?.startsWith(`${volume}/`)).toBe(true);
  const configMaps = resources<ConfigMap>('ConfigMap').map(({ metadata }) => metadata?.name);
  for (const { configMapRef } of container.envFrom ?? []) {
    if (configMapRef) expect(configMaps).toContain(configMapRef.name);
  }
});

test('askd starts with these settings, and answers probes and clients under the names of its Service', async () => {
  const { ASKD_HOME, ...env } = environment();
  expect(ASKD_HOME).toBeDefined();
  const daemon = await startDaemon(env);
  const { container } = askd();
  const address = addressOfThisMachine();
  for (const { httpGet } of probesOf(container)) {
    const headers = { host: `${address}:${daemon.port}` };
    const path = httpGet?.path ?? '';
    expect(await send({ host: address, port: daemon.port, path, headers })).toMatchObject({ status: 200 });
  }
  const names = ['askd', 'askd.askd', 'askd.askd.svc', 'askd.askd.svc.cluster.local'];
  for (const name of names) {
    const headers = { host: `${name}:11535`, authorization: `Bearer ${daemon.key}` };
    expect(await send({ port: daemon.port, path: '/v1/models', headers })).toMatchObject({ status: 200 });
  }
  const headers = { host: 'elsewhere.askd.svc:11535', authorization: `Bearer ${daemon.key}` };
  expect(await send({ port: daemon.port, path: '/v1/models', headers })).toMatchObject({ status: 403 });
});

test('askd listens on the port of its container, and has drained before the pod is killed', async () => {
  const loaded = await loadSettings(readEnvironment(environment()));
  const { pod, container } = askd();
  expect(container.ports).toEqual([{ name: 'http', containerPort: loaded.port }]);
  expect((pod?.terminationGracePeriodSeconds ?? 0) * 1000).toBeGreaterThan(loaded.drainTimeoutMs);
  const known = [...loaded.chosen].length;
  expect(known).toBe(Object.keys(environment()).filter((name) => name !== 'ASKD_HOME').length);
});

test('the variable that a Service named askd adds to pods would stop askd, so no pod gets them', async () => {
  const env = { ...environment(), ASKD_PORT: 'tcp://10.0.0.1:11535' };
  await expect(loadSettings(readEnvironment(env))).rejects.toThrow(/ASKD_PORT/);
  for (const { spec } of SETS) expect(spec?.template.spec?.enableServiceLinks).toBe(false);
});

/** As the node reaches a pod: not through its loopback address, if this machine has another. */
function addressOfThisMachine(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
}

import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { StatefulSet } from 'kubernetes-types/apps/v1.js';
import type { Service } from 'kubernetes-types/core/v1.js';
import type { NetworkPolicy } from 'kubernetes-types/networking/v1.js';
import { expect, test } from 'vitest';
import {
  allPods,
  containersOf,
  FILES,
  FOLDER,
  isSubset,
  kustomizations,
  MANIFESTS,
  namespaceOf,
  probesOf,
  resources,
} from '../../helpers/docs/kubernetes/manifests.ts';

const PODS = allPods();
const SERVICES = resources<Service>('Service');
const SETS = resources<StatefulSet>('StatefulSet');

test('every resource has a namespace that a file creates, and every kustomization lists its folder', () => {
  const created = resources<{ metadata: { name: string } }>('Namespace').map(({ metadata }) => metadata.name);
  for (const manifest of MANIFESTS) {
    const { kind } = manifest.document;
    if (kind === 'Namespace' || kind === 'Kustomization') continue;
    expect(created, manifest.name).toContain(namespaceOf(manifest));
  }
  for (const [folder, { resources: listed, patches = [] }] of kustomizations) {
    const named = [...listed, ...patches.map(({ path }) => path)];
    for (const path of named) expect(existsSync(join(FOLDER, folder, path)), path).toBe(true);
    const beside = FILES.filter((file) => dirname(file) === folder).map((file) => basename(file));
    expect(beside.filter((file) => !named.includes(file))).toEqual(['kustomization.yaml']);
  }
});

test('every patch changes a resource and containers that the patched folder has', () => {
  const patches = MANIFESTS.filter(({ isPatch }) => isPatch);
  expect(patches).toHaveLength(1);
  for (const { document } of patches) {
    const { metadata, spec } = document as StatefulSet;
    const target = SETS.find((set) => set.metadata?.name === metadata?.name);
    const names = target?.spec?.template.spec?.containers.map(({ name }) => name);
    for (const { name } of spec?.template.spec?.containers ?? []) expect(names).toContain(name);
  }
});

test('every Service reaches pods of its namespace at a port that they open', () => {
  expect(SERVICES.length).toBeGreaterThan(1);
  for (const { metadata, namespace, spec } of SERVICES) {
    const pods = PODS.filter(
      (each) => each.namespace === namespace && isSubset(spec?.selector, each.template.metadata?.labels),
    );
    expect(pods, metadata?.name).toHaveLength(1);
    const opened = pods.flatMap(containersOf).flatMap(({ ports = [] }) => ports);
    for (const { port, targetPort } of spec?.ports ?? []) {
      expect(opened).toContainEqual({ name: targetPort, containerPort: port });
    }
  }
  for (const { namespace, spec } of SETS) {
    expect(isSubset(spec?.selector.matchLabels, spec?.template.metadata?.labels)).toBe(true);
    const inNamespace = SERVICES.filter((each) => each.namespace === namespace);
    expect(inNamespace.map(({ metadata }) => metadata?.name)).toContain(spec?.serviceName);
  }
});

test('every mount has its volume, every volume is mounted, and every probe asks a port that is open', () => {
  expect(PODS.length).toBeGreaterThan(3);
  for (const pods of PODS) {
    const volumes = [...(pods.template.spec?.volumes ?? []).map(({ name }) => name), ...pods.claims];
    const mounts = containersOf(pods).flatMap(({ volumeMounts = [] }) =>
      volumeMounts.map(({ name }) => name),
    );
    expect([...new Set(mounts)].sort(), pods.name).toEqual(volumes.sort());
    for (const container of containersOf(pods)) {
      const ports = container.ports?.map(({ name }) => name);
      for (const { httpGet } of probesOf(container)) expect(ports).toContain(httpGet?.port);
    }
  }
});

test('a policy admits pods that exist, at ports that they open', () => {
  const policies = resources<NetworkPolicy>('NetworkPolicy');
  expect(policies.map(({ metadata }) => metadata?.name).sort()).toEqual(['askd', 'big-chat']);
  for (const { namespace, spec } of policies) {
    const pods = PODS.filter(
      (each) =>
        each.namespace === namespace &&
        isSubset(spec?.podSelector.matchLabels, each.template.metadata?.labels),
    );
    expect(pods).toHaveLength(1);
    const opened = pods
      .flatMap(containersOf)
      .flatMap(({ ports = [] }) => ports)
      .map(({ name }) => name);
    for (const { ports = [] } of spec?.ingress ?? []) {
      expect(ports.length).toBeGreaterThan(0);
      for (const { port } of ports) expect(opened).toContain(port);
    }
  }
  const ofModels = policies.find(({ namespace }) => namespace === 'models')?.spec?.ingress?.[0]?.from?.[0];
  const client = PODS.find(({ name }) => name === 'askd');
  expect(ofModels?.namespaceSelector?.matchLabels?.['kubernetes.io/metadata.name']).toBe(client?.namespace);
  expect(isSubset(ofModels?.podSelector?.matchLabels, client?.template.metadata?.labels)).toBe(true);
});

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StatefulSet } from 'kubernetes-types/apps/v1.js';
import type { Service } from 'kubernetes-types/core/v1.js';
import type { NetworkPolicy } from 'kubernetes-types/networking/v1.js';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../../../src/base/paths.ts';
import { mistakesIn } from '../../helpers/docs/commands.ts';
import type { RayService } from '../../helpers/docs/kubernetes/custom-resources.ts';
import { FILES, resources, textOf } from '../../helpers/docs/kubernetes/manifests.ts';

const SERVICES = resources<Service>('Service');
const SETS = resources<StatefulSet>('StatefulSet');

test('the policy of its namespace lets askd reach every model server', () => {
  const policy = resources<NetworkPolicy>('NetworkPolicy').find(({ namespace }) => namespace === 'askd');
  const reached = policy?.spec?.egress?.flatMap(({ to = [], ports = [] }) =>
    to.flatMap(({ namespaceSelector }) =>
      ports.map(({ port }) => `${namespaceSelector?.matchLabels?.['kubernetes.io/metadata.name']}:${port}`),
    ),
  );
  for (const { namespace, port } of upstreamUrls()) expect(reached).toContain(`${namespace}:${port}`);
});

test('Ray serves the same model as the compose file, at the port of its Service', () => {
  const [ray] = resources<RayService>('RayService');
  const { applications } = parse(ray?.spec.serveConfigV2 ?? '') as {
    applications: { import_path: string; args: { llm_configs: unknown[] } }[];
  };
  const python = readFileSync(join(packageRoot, 'deploy', 'ray_app.py'), 'utf8');
  const [, literal = ''] = /LLMConfig\(\n([^]*?),\n\)/.exec(python) ?? [];
  const fields = literal.replaceAll(/^ {4}(\w+)=/gm, '"$1": ');
  expect(applications).toMatchObject([
    { import_path: 'ray.serve.llm:build_openai_app', args: { llm_configs: [parse(`{${fields}}`)] } },
  ]);
});

test('the commands in comments and in the documentation are commands of askd', async () => {
  const documentation = readFileSync(join(packageRoot, 'docs', 'scaling-out.md'), 'utf8');
  const lines = [...FILES.map(textOf), documentation].flatMap((text) =>
    [...text.matchAll(/kubectl -n (\S+) exec (\S+) -- askd ([^`\n]+)/g)].map(
      ([, namespace, pod, line = '']) => ({ namespace, pod, line }),
    ),
  );
  expect(lines.length).toBeGreaterThan(9);
  for (const { namespace, pod } of lines) expect([namespace, pod]).toEqual(['askd', 'askd-0']);
  expect(await mistakesIn(lines.map(({ line }) => line))).toEqual([]);
  for (const { line } of lines.filter(({ line }) => line.startsWith('upstream add'))) {
    expect(
      FILES.some((file) => textOf(file).includes(`askd ${line}\n`)),
      line,
    ).toBe(true);
  }
});

test('the addresses of model servers are those of the Services in their file', () => {
  const urls = upstreamUrls();
  expect(urls).toHaveLength(3);
  for (const { file, host, namespace, port } of urls) {
    expect(hostsOf(file), file).toContain(`${host}.${namespace}:${port}`);
  }
});

test('the paths in comments lead to files and folders', () => {
  const paths = FILES.flatMap((file) =>
    [...textOf(file).matchAll(/^# kubectl apply -[fk] (\S+)$/gm)].map(([, path = '']) => path),
  );
  expect(paths).toHaveLength(4);
  for (const path of paths) expect(existsSync(join(packageRoot, path)), path).toBe(true);
});

/** The addresses that `askd upstream add` is given in comments. */
function upstreamUrls() {
  return FILES.flatMap((file) =>
    [...textOf(file).matchAll(/--url http:\/\/(\S+)\.([\w-]+)\.svc:(\d+)\/v1/g)].map(
      ([, host = '', namespace = '', port = '']) => ({ file, host, namespace, port: Number(port) }),
    ),
  );
}

/** The names under which a file's Services make servers reachable: each pod of a headless one has its own. */
function hostsOf(file: string): string[] {
  const ofSets = SETS.filter((set) => set.file === file).flatMap(({ metadata, namespace, spec }) =>
    Array.from({ length: spec?.replicas ?? 1 }, (_, index) => {
      const port = SERVICES.find((each) => each.metadata?.name === spec?.serviceName)?.spec?.ports?.[0]?.port;
      return `${metadata?.name}-${index}.${spec?.serviceName}.${namespace}:${port}`;
    }),
  );
  const ofRay = resources<RayService>('RayService')
    .filter((ray) => ray.file === file)
    .map(({ metadata, namespace, spec }) => {
      const { ports = [] } = spec.rayClusterConfig.headGroupSpec.template.spec?.containers[0] ?? {};
      const port = ports.find(({ name }) => name === 'serve')?.containerPort;
      return `${metadata.name}-serve-svc.${namespace}:${port}`;
    });
  return [...ofSets, ...ofRay];
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { RULES } from '../src/config/settings.ts';
import { packageRoot } from '../src/base/paths.ts';

const FOLDER = join(packageRoot, 'deploy');
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8');

type Service = {
  build?: { dockerfile?: string; target?: string };
  volumes?: readonly string[];
  environment?: Record<string, string>;
  read_only?: boolean;
  cap_drop?: readonly string[];
  security_opt?: readonly string[];
  privileged?: boolean;
  ports?: readonly string[];
};
type Compose = { services: Record<string, Service>; volumes?: Record<string, unknown> };

/** `!reset` is a tag specific to compose. */
const compose = (name: string) =>
  parse(read(name), {
    customTags: [{ tag: '!reset', collection: 'seq', resolve: (value) => value }],
  }) as Compose;
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.yml') && name.startsWith('compose'));

test.each(FILES)('%s names files, stages and volumes that exist', (name) => {
  const { services, volumes = {} } = compose(name);
  const stages = [...read('Dockerfile').matchAll(/^FROM \S+ AS (\S+)$/gm)].map(([, stage]) => stage);
  for (const { build, volumes: mounts = [], privileged } of Object.values(services)) {
    expect(privileged).toBeUndefined();
    if (build?.target !== undefined) expect(stages).toContain(build.target);
    for (const mount of mounts) {
      const [source = ''] = mount.split(':');
      if (source.startsWith('.')) expect(existsSync(join(FOLDER, source)), source).toBe(true);
      else expect(Object.keys(volumes)).toContain(source);
    }
  }
});

test('Prometheus is configured as in the example, but for the address of askd and the place of its key', () => {
  const example = readFileSync(join(packageRoot, 'examples', 'monitoring', 'prometheus.yml'), 'utf8');
  const expected = example
    .replace(/^#.*\n/gm, '')
    .replace('127.0.0.1:11535', 'askd:11535')
    .replace('credentials_file: askd.key', 'credentials_file: /run/secrets/askd.key');
  expect(read('prometheus.yml')).toBe(expected);
  const { askd, prometheus } = compose('compose.prometheus.yml').services;
  expect(askd?.environment?.['ASKD_ALLOWED_HOSTS']?.split(',')).toContain('askd');
  expect(prometheus?.volumes?.join(' ')).toContain(
    'examples/monitoring/alerts.yml:/etc/prometheus/alerts.yml:ro',
  );
});

test('askd runs in a container that can write only to its volume, and is open to this machine only', () => {
  const { askd } = compose('compose.yml').services;
  expect(askd).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
  });
  expect(askd?.ports?.every((port) => port.startsWith('127.0.0.1:'))).toBe(true);
  expect(compose('compose.caddy.yml').services['askd']?.ports).toEqual([]);
});

test('both images run as their own user, report their health, and set only known settings', () => {
  const stages = read('Dockerfile').split(/^FROM /m);
  const finals = stages.filter((stage) => /^\S+ AS (cpu|cuda)$/m.test(stage));
  expect(finals).toHaveLength(2);
  for (const stage of finals) {
    expect(stage).toMatch(/^USER askd$/m);
    expect(stage).toMatch(/^HEALTHCHECK /m);
    expect(stage).toMatch(/^VOLUME \/data$/m);
    const known = ['ASKD_HOME', ...Object.values(RULES).map(({ file }) => `ASKD_${file.toUpperCase()}`)];
    for (const [variable] of stage.matchAll(/ASKD_[A-Z_]+(?==)/g)) expect(known).toContain(variable);
  }
});

test('the image is built from a folder with everything in the package', () => {
  const { files } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
    files: string[];
  };
  const kept: readonly string[] =
    readFileSync(join(packageRoot, '.dockerignore'), 'utf8').match(/(?<=^!).+$/gm) ?? [];
  const folders = files
    .map((path) => path.split('/')[0] ?? '')
    .filter((path) => !/^(!|dist|.*\.md$)/.test(path));
  expect(folders.filter((path) => !kept.includes(path))).toEqual([]);
});

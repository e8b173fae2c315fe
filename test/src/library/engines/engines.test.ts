import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { create, Header } from 'tar';
import { createEngines, type EnginesOptions } from '../../../../src/library/engines/engines.ts';
import {
  gpusOf,
  OPTIONAL_ENGINES,
  packagesFor,
  versionOf,
} from '../../../../src/library/engines/optional-engines.ts';
import { packageRoot } from '../../../../src/base/paths.ts';
import { startRegistry } from '../../../helpers/servers/registry.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';

async function besideRegistry(options: Partial<EnginesOptions> = {}) {
  const registry = await startRegistry();
  const engine = await registry.publishEngine();
  const folder = temporaryFolder();
  const engines = createEngines({
    folder,
    repositoryModules: temporaryFolder(),
    registry: {
      address: registry.address,
      proxy: { httpProxy: '', httpsProxy: '', noProxy: '' },
      stallMs: 1000,
      retryMs: 1,
    },
    isOffline: false,
    table: [engine],
    ...options,
  });
  const signal = new AbortController().signal;
  const install = (more: object = {}) =>
    engines.install('vision', { signal, onProgress: () => undefined, ...more });
  return { registry, engine, folder, engines, install };
}

const place = (folder: string) => join(folder, 'vision', '1.2.3', 'node_modules');

test('an engine is fetched package by package, verified, and runs from the home', async () => {
  const { engines, folder, install } = await besideRegistry();
  expect(engines.list()).toMatchObject([{ name: 'vision', state: 'not_installed', version: '1.2.3' }]);
  const reported: number[] = [];
  const record = await install({
    onProgress: ({ bytesReceived, bytesTotal }: { bytesReceived: number; bytesTotal: number }) =>
      reported.push(bytesReceived / bytesTotal),
  });
  expect(record).toMatchObject({ state: 'installed', path: place(folder), gpus: [{ isInstalled: false }] });
  expect([reported[0], reported.at(-1)]).toEqual([0, 1]);
  const modules = engines.modulesOf('vision') ?? '';
  const eye = createRequire(join(modules, '_'))('@maker/eye/lib/index.js') as { sees: () => string };
  expect(eye.sees()).toBe('a cat');
  expect(execFileSync(join(modules, 'helper', 'bin', 'run'), { encoding: 'utf8' })).toBe('it runs\n');
  expect(existsSync(join(modules, 'helper-cuda'))).toBe(false);
});

test('a missing engine names the command that installs it', async () => {
  const { engines } = await besideRegistry();
  expect(() => engines.modulesOf('vision')).toThrow(/askd engines install vision/);
  expect(engines.obstacle('vision')).toEqual({
    why: expect.stringMatching(
      /^the engine "vision" is not installed \([\d.]+ [KM]?B to download\)$/,
    ) as string,
    fix: 'askd engines install vision',
  });
  expect([engines.modulesOf('llama'), engines.obstacle('llama')]).toEqual([undefined, undefined]);
});

test('a build for a card is added to an installed engine, and nothing is fetched twice', async () => {
  const { registry, install } = await besideRegistry();
  await install();
  const record = await install({ gpu: 'cuda' });
  expect(record.gpus).toEqual([{ name: 'cuda', isInstalled: true }]);
  expect(registry.asked.map((path) => path.replace(/-1.2.3.*/, ''))).toEqual([
    '/@maker/eye/-/eye',
    '/helper/-/helper',
    '/helper-cuda/-/helper-cuda',
  ]);
  await expect(install({ gpu: 'vulkan' })).rejects.toMatchObject({ code: 'engine_not_installed' });
});

describe('what goes wrong', () => {
  test.each(['cut', 'busy', 'wrong', 'silent'] as const)('once, by %s, is recovered from', async (fault) => {
    const { registry, install } = await besideRegistry();
    registry.fail('helper', fault);
    expect(await install()).toMatchObject({ state: 'installed' });
  });

  test('a package that stays wrong is refused, and none of it is kept', async () => {
    const { registry, engines, folder, install } = await besideRegistry();
    registry.fail('helper', 'wrong', 2);
    await expect(install()).rejects.toMatchObject({
      code: 'download_damaged',
      message: expect.stringContaining('helper 1.2.3') as string,
    });
    expect(engines.list()).toMatchObject([{ state: 'not_installed' }]);
    const left = join(folder, 'vision', '1.2.3.incomplete');
    expect([readdirSync(left), readdirSync(join(left, 'node_modules'))]).toEqual([
      ['node_modules'],
      ['@maker'],
    ]);
    expect(await install()).toMatchObject({ state: 'installed' });
    expect(registry.asked.filter((path) => path.includes('eye'))).toHaveLength(1);
    expect(readdirSync(join(folder, 'vision'))).toEqual(['1.2.3']);
  });

  test('an archive that is longer than it should be is given up on at once', async () => {
    const { registry, engine, engines, install } = await besideRegistry();
    const [eye] = engine.packages;
    if (eye) eye.bytes = 10;
    await expect(install()).rejects.toMatchObject({ code: 'download_damaged' });
    expect(registry.asked).toHaveLength(2);
    expect(engines.list()).toMatchObject([{ state: 'not_installed' }]);
  });

  test('a registry without the package is reported with its answer', async () => {
    const { registry, install } = await besideRegistry();
    registry.fail('helper', 'missing');
    await expect(install()).rejects.toMatchObject({
      code: 'registry_failed',
      message: expect.stringMatching(/answered 404 for http.*helper-1\.2\.3\.tgz/) as string,
    });
  });

  test('a registry that does not answer is reported as such', async () => {
    const { registry, install } = await besideRegistry();
    await registry.close();
    await expect(install()).rejects.toMatchObject({
      code: 'registry_failed',
      message: expect.stringContaining('nothing is listening there') as string,
    });
  });

  test('a client that disconnects stops it, and the next one resumes', async () => {
    const { registry, engines, install } = await besideRegistry();
    registry.fail('helper', 'silent');
    const leaving = new AbortController();
    const stopped = install({ signal: leaving.signal });
    await expect.poll(() => registry.asked, { timeout: 30_000 }).toHaveLength(2);
    leaving.abort(new Error('gone'));
    await expect(stopped).rejects.toThrow('gone');
    expect(engines.list()).toMatchObject([{ state: 'not_installed' }]);
    expect(await install()).toMatchObject({ state: 'installed' });
    expect(registry.asked.filter((path) => path.includes('eye'))).toHaveLength(1);
  });

  test('offline nothing is requested', async () => {
    const { registry, install } = await besideRegistry({ isOffline: true });
    await expect(install()).rejects.toMatchObject({ code: 'offline' });
    expect(registry.asked).toEqual([]);
  });

  test('a disk without room is found before anything is fetched', async () => {
    const { registry, engine, install } = await besideRegistry();
    const [eye] = engine.packages;
    if (eye) eye.bytes = 1e15;
    await expect(install()).rejects.toMatchObject({ code: 'disk_full' });
    expect(registry.asked).toEqual([]);
  });
});

test('a link in an archive is not followed', async () => {
  const { registry, folder, engine, install } = await besideRegistry();
  const source = temporaryFolder();
  mkdirSync(join(source, 'package'));
  writeFileSync(join(source, 'package', 'package.json'), '{}');
  symlinkSync('/etc', join(source, 'package', 'out'));
  const file = join(source, 'a.tgz');
  await create({ gzip: true, cwd: source, file }, ['package']);
  const linked = registry.publishArchive('linked', file);
  (engine.packages as unknown[]).push(linked);
  await install();
  expect(readdirSync(join(place(folder), 'linked'))).toEqual(['package.json']);
});

/** A file with a name of its own, for which its header has no room. */
function withLongName(name: string): Buffer {
  const block = (fields: ConstructorParameters<typeof Header>[0]) => {
    const bytes = Buffer.alloc(512);
    new Header({ mode: 0o644, mtime: new Date(0), ...fields }).encode(bytes);
    return bytes;
  };
  const content = Buffer.alloc(512, name, 'latin1').fill(0, name.length);
  return Buffer.concat([
    block({ path: '././@LongLink', type: 'NextFileHasLongPath', size: name.length }),
    content,
    block({ path: 'package/short', type: 'File', size: 0 }),
  ]);
}

test.each<[string, (archive: Buffer) => Buffer]>([
  ['whose header lies', (archive) => gzipSync(gunzipSync(archive).fill(0xff, 100, 140))],
  ['without its end', (archive) => archive.subarray(0, archive.length / 2)],
  ['that is none', () => Buffer.from('This is a text.')],
  [
    'with a zero in the name of a file',
    (archive) => gzipSync(Buffer.concat([withLongName('package/a\0\r\0b'), gunzipSync(archive)])),
  ],
])('an archive %s is damaged, although its hash is the pinned one', async (_, change) => {
  const { registry, folder, engine, install } = await besideRegistry();
  const source = temporaryFolder();
  mkdirSync(join(source, 'package'));
  writeFileSync(join(source, 'package', 'package.json'), '{}');
  const file = join(source, 'a.tgz');
  await create({ gzip: true, cwd: source, file }, ['package']);
  writeFileSync(file, change(readFileSync(file)));
  (engine.packages as unknown[]).push(registry.publishArchive('broken', file));
  await expect(install()).rejects.toMatchObject({
    code: 'download_damaged',
    message: expect.stringContaining('cannot be unpacked'),
  });
  expect(existsSync(join(place(folder), 'broken'))).toBe(false);
});

test('a removed engine is gone, and other versions are deleted when one is installed', async () => {
  const { engines, folder, install } = await besideRegistry();
  mkdirSync(join(folder, 'vision', '1.0.0', 'node_modules'), { recursive: true });
  await install();
  expect(readdirSync(join(folder, 'vision'))).toEqual(['1.2.3']);
  expect(await engines.remove('vision')).toMatchObject({ state: 'not_installed' });
  expect(existsSync(join(folder, 'vision'))).toBe(false);
  await expect(engines.remove('vision')).rejects.toMatchObject({ code: 'not_found' });
  await expect(engines.remove('nothing')).rejects.toThrow(/there are: vision/);
});

describe('the engines of this askd', () => {
  test('each has a build for linux-x64 and one hash for each package', () => {
    for (const engine of OPTIONAL_ENGINES) {
      const packages = packagesFor(engine, { platform: 'linux-x64' });
      expect(packages.length).toBeGreaterThan(1);
      expect(new Set(engine.packages.map(({ name }) => name)).size).toBe(engine.packages.length);
      for (const { integrity, bytes, version } of engine.packages) {
        expect([integrity, version]).toEqual([
          expect.stringMatching(/^sha512-[A-Za-z0-9+/]{86}==$/),
          expect.stringMatching(/^\d+\.\d+\.\d+$/),
        ]);
        expect(bytes).toBeGreaterThan(1000);
      }
    }
    const [vision] = OPTIONAL_ENGINES;
    expect(vision && gpusOf(vision, 'linux-x64')).toEqual(['vulkan', 'cuda']);
    expect(vision && packagesFor(vision, { platform: 'sunos-sparc' })).toEqual([]);
  });

  test('a clone of the repository has them, in the pinned version', () => {
    const engines = createEngines({
      folder: temporaryFolder(),
      repositoryModules: join(packageRoot, 'node_modules'),
      registry: {
        address: 'http://127.0.0.1:9',
        proxy: { httpProxy: '', httpsProxy: '', noProxy: '' },
        stallMs: 1,
        retryMs: 1,
      },
      isOffline: true,
      table: OPTIONAL_ENGINES,
    });
    const version = (name: string) => OPTIONAL_ENGINES.filter((each) => each.name === name).map(versionOf)[0];
    expect(engines.list()).toMatchObject([
      { name: 'vision', state: 'in_repository', version: version('vision') },
      { name: 'diffusion', state: 'in_repository', version: version('diffusion') },
    ]);
  });
});

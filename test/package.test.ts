import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listPackage } from '../scripts/package/pack.ts';
import { billOfMaterials } from '../scripts/package/sbom.ts';
import { packageRoot } from '../src/base/paths.ts';

const MB = 1_000_000;

/** What a published package consists of. */
const WANTED = [
  /^(README|CHANGELOG|SECURITY|THIRD_PARTY)\.md$/,
  /^LICENSE$/,
  /^package\.json$/,
  /^bin\/[\w-]+\.js$/,
  /^dist\/askd\.1$/,
  /^dist\/(client|testing)\.d\.ts$/,
  /^dist\/console\/(index\.html|licences\.md|assets\/[\w-]+\.(js|css|svg|woff2))$/,
  /^dist\/bundle\/([\w-]+\/)*[\w.-]+\.js$/,
  /^dist\/bundle\/licences\.md$/,
  /^dist\/pages\/([\w-]+\/)*[\w-]+\.(html|css|js)$/,
  /^models\/starter\/README\.md$/,
  /^models\/starter\/[\w-]+\/([\w-]+\/)*[\w-]+\.(gguf|onnx|json)$/,
];

test('the package holds the programs and the starter models, and no tests, maps or sources', async () => {
  const { files } = await listPackage();
  const paths = files.map(({ path }) => path);
  expect(paths.filter((path) => !WANTED.some((wanted) => wanted.test(path)))).toEqual([]);
  expect(paths).toEqual(
    expect.arrayContaining([
      ...['LICENSE', 'THIRD_PARTY.md', 'SECURITY.md', 'bin/askd.js', 'bin/askd-daemon.js', 'dist/askd.1'],
      ...['cli/main', 'daemon/main', 'models/runner', 'src/client/client'].map(
        (entry) => `dist/bundle/${entry}.js`,
      ),
      ...['dist/console/index.html', 'dist/pages/login/login.html'],
      'models/starter/chat/starter-chat.gguf',
    ]),
  );
});

test('the package stays small: most of it is the starter models', async () => {
  const { size, unpackedSize, files } = await listPackage();
  const models = files.filter(({ path }) => path.startsWith('models/'));
  const modelBytes = models.reduce((sum, file) => sum + file.size, 0);
  expect(size).toBeLessThan(20 * MB);
  // node-llama-cpp is over a megabyte of it.
  expect(unpackedSize - modelBytes).toBeLessThan(8 * MB);
});

const DEVELOPMENT = [
  'vitest',
  'typescript',
  'playwright-core',
  '@fugood/llama.node',
  '@qvac/diffusion-cpp',
  'bare',
];

test('the bill of materials names everything that is installed, and nothing that only development needs', async () => {
  const { bomFormat, components } = await billOfMaterials();
  const named = components.map(({ purl }) => decodeURIComponent(purl.replace(/@[^@]+$/, '')));
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(join(packageRoot, 'package.json'), 'utf8'),
  ) as Record<'dependencies' | 'devDependencies', Record<string, string>>;
  const isNamed = (name: string) => named.includes(`pkg:npm/${name}`);
  expect(bomFormat).toBe('CycloneDX');
  expect(Object.keys(dependencies).filter((name) => !isNamed(name))).toEqual([]);
  expect(Object.keys(devDependencies)).toEqual(expect.arrayContaining(DEVELOPMENT));
  expect(DEVELOPMENT.filter(isNamed)).toEqual([]);
});

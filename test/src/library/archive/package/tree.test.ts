import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../../../../src/base/paths.ts';
import { NODE_MIN } from '../../../../../src/library/archive/package/papers.ts';
import { collectPackage } from '../../../../../src/library/archive/package/tree.ts';
import { temporaryFolder } from '../../../../helpers/temporary.ts';

/** Writes files by their paths; an object is a package.json. */
function folderOf(files: Record<string, string | object>): string {
  const folder = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

async function treeOf(packageRoot: string, { engines = [], withGpu = true }: Partial<Parts> = {}) {
  const { root, files } = await collectPackage({ packageRoot, engines, withGpu });
  return { root, paths: files.map(({ path }) => path) };
}
type Parts = Omit<Parameters<typeof collectPackage>[0], 'packageRoot'>;

const here = `${process.platform}-${process.arch}`;

test('a clone is packed with what it needs to run, and without what builds and tests it', async () => {
  const folder = folderOf({
    'package.json': {
      files: ['bin/*.js', 'dist/cli', '!dist/**/*.map', 'CHANGELOG.md'],
      dependencies: { a: '1' },
      optionalDependencies: { 'not-for-this-machine': '1', b: '1' },
      devDependencies: { tester: '1' },
    },
    'bin/askd.js': '',
    'dist/cli/main.js': '',
    'dist/cli/main.js.map': '',
    'dist/scripts/bench.js': '',
    'src/cli/main.ts': '',
    'node_modules/a/package.json': { dependencies: { c: '1' }, peerDependencies: { d: '1', e: '1' } },
    'node_modules/a/lib/a.js': '',
    'node_modules/a/node_modules/c/package.json': {},
    'node_modules/b/package.json': {},
    [`node_modules/b/prebuilds/${here}/b.node`]: '',
    'node_modules/b/prebuilds/android-arm64/b.node': '',
    'node_modules/c/package.json': { version: 'another, which nothing of ours needs' },
    'node_modules/d/package.json': {},
    'node_modules/tester/package.json': {},
  });
  expect(await treeOf(folder)).toEqual({
    root: '',
    paths: [
      'bin/askd.js',
      'dist/cli/main.js',
      'node_modules/a/lib/a.js',
      'node_modules/a/node_modules/c/package.json',
      'node_modules/a/package.json',
      'node_modules/b/package.json',
      `node_modules/b/prebuilds/${here}/b.node`,
      'node_modules/d/package.json',
      'package.json',
    ],
  });
});

test('packages next to askd stay next to it, where Node finds them', async () => {
  const folder = folderOf({
    'node_modules/askd/package.json': { dependencies: { a: '1' } },
    'node_modules/a/package.json': {},
    'node_modules/of-others/package.json': {},
  });
  expect(await treeOf(join(folder, 'node_modules', 'askd'))).toEqual({
    root: 'node_modules/askd',
    paths: ['node_modules/a/package.json', 'node_modules/askd/package.json'],
  });
});

test('links to packages are kept as links, together with their targets', async () => {
  const folder = folderOf({
    'package.json': { dependencies: { a: '1' } },
    'node_modules/.store/a/package.json': {},
  });
  symlinkSync(join('.store', 'a'), join(folder, 'node_modules', 'a'));
  const { paths } = await treeOf(folder);
  expect(paths).toEqual(['node_modules/.store/a/package.json', 'node_modules/a', 'package.json']);
});

test('installed engines are packed, and their builds for graphics cards can be left out', async () => {
  const folder = folderOf({
    'package.json': { optionalDependencies: { '@llama/linux-cuda': '1' } },
    'node_modules/@llama/linux-cuda/package.json': {},
  });
  const home = folderOf({
    'node_modules/draws/package.json': {},
    'node_modules/draws-vulkan/package.json': {},
  });
  const engines = [
    { name: 'drawing', modules: join(home, 'node_modules'), packages: ['draws', 'draws-vulkan'] },
  ];
  expect((await treeOf(folder, { engines })).paths).toEqual([
    'node_modules/@llama/linux-cuda/package.json',
    'node_modules/draws-vulkan/package.json',
    'node_modules/draws/package.json',
    'package.json',
  ]);
  expect((await treeOf(folder, { engines, withGpu: false })).paths).toEqual([
    'node_modules/draws/package.json',
    'package.json',
  ]);
});

test('an installation that lacks a package is not packed', async () => {
  const folder = folderOf({ 'package.json': { dependencies: { lost: '1' } } });
  await expect(treeOf(folder)).rejects.toMatchObject({ code: 'install_incomplete' });
});

test('the installer requires the same Node as the package', () => {
  const { engines } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
    engines: { node: string };
  };
  expect(engines.node).toBe(`>=${NODE_MIN}`);
});

import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { binFile } from '../../src/base/paths.ts';
import { packFiles } from '../../src/library/archive/package/pack.ts';
import { libcOf } from '../../src/library/archive/package/papers.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

/** The smallest package that the installer accepts: it prints its arguments, and how it was started. */
const PROGRAM = "console.log(`askd ${process.argv.slice(2).join(' ')}`);\n";
const FILES: Record<string, string> = {
  'package.json': '{ "type": "module" }',
  'bin/askd.js': `#!/usr/bin/env node\n${PROGRAM}`,
  'bin/askd-daemon.js': `#!/usr/bin/env node\n${PROGRAM}`,
  'dist/bundle/src/store/sqlite.js': 'export const openSqlite = () => ({ close() {} });',
  'node_modules/sharp/package.json': '{ "main": "index.js" }',
  'node_modules/sharp/index.js': '',
};

/** The folder `install` of an archive, and an empty prefix. */
async function kit(facts = {}, files: Record<string, string> = {}) {
  const folder = temporaryFolder();
  const install = join(folder, 'install');
  mkdirSync(install);
  const all = Object.entries({ ...FILES, ...files }).map(([path, content]) => {
    const absolute = join(folder, 'package', path);
    mkdirSync(dirname(absolute), { recursive: true });
    writeFileSync(absolute, content);
    return { path, absolute };
  });
  const options = { signal: new AbortController().signal, onBytes: () => undefined };
  const { sha256 } = await packFiles(all, join(install, 'askd.tgz'), options);
  copyFileSync(binFile('install.js'), join(install, 'install.mjs'));
  const standard = {
    ...{ version: '1.0.0', platform: `${process.platform}-${process.arch}`, libc: libcOf(), node: '20.19.0' },
    ...{ node_min: '20.19', root: '', sha256, unpacked_bytes: 1000, engines: [], imports: true },
  };
  writeFileSync(join(install, 'install.json'), JSON.stringify({ ...standard, ...facts }));
  const prefix = join(folder, 'prefix');
  const archive = join(folder, 'models.tar');
  writeFileSync(archive, '');
  const run = async (...typed: string[]) => {
    const args = [join(install, 'install.mjs'), ...typed, '--prefix', prefix];
    const { exitCode, stdout, stderr } = await execa(process.execPath, args, { reject: false });
    return { exitCode, stdout, stderr };
  };
  return { install, prefix, archive, run };
}

test('askd is unpacked, linked and asked to import the archive', async () => {
  const { run, prefix, archive } = await kit();
  const { exitCode, stdout } = await run(archive);
  expect(stdout).toContain(`Installed askd 1.0.0 in ${join(prefix, 'lib', 'askd')}.`);
  expect(stdout).toContain(`export PATH="${join(prefix, 'bin')}:$PATH"`);
  expect(stdout).toContain(`askd import ${archive}`);
  expect(exitCode).toBe(0);
  expect((await execa(join(prefix, 'bin', 'askd'), ['up'])).stdout).toBe('askd up');
  expect((await execa(join(prefix, 'bin', 'askd-daemon'))).stdout).toBe('askd ');
});

test('an archive without models is not imported', async () => {
  const { run, archive } = await kit({ imports: false });
  expect((await run(archive)).stdout).not.toContain('import');
});

test('an earlier askd is stopped and replaced as a whole', async () => {
  const first = await kit({}, { 'dist/old.js': '' });
  await first.run();
  const second = await kit();
  const args = [join(second.install, 'install.mjs'), '--prefix', first.prefix];
  expect((await execa(process.execPath, args)).stdout).toContain('askd down');
  expect(readdirSync(join(first.prefix, 'lib'))).toEqual(['askd']);
  expect(existsSync(join(first.prefix, 'lib', 'askd', 'dist', 'old.js'))).toBe(false);
});

test.each([
  ['an older Node', { node_min: '99.1' }, {}, 'askd 1.0.0 needs Node.js 99.1 or later, and this is'],
  ['another platform', { platform: 'plan9-mips' }, {}, 'This archive is for plan9-mips, and this machine is'],
  ['a damaged package', { sha256: '0'.repeat(64) }, {}, 'install/askd.tgz is damaged'],
  ['a full disk', { unpacked_bytes: 1e18 }, {}, 'Choose another --prefix.'],
  [
    'a native package of another Node',
    {},
    { 'dist/bundle/src/store/sqlite.js': 'throw new Error("compiled against a different Node.js version");' },
    'compiled against a different Node.js version\nThis is Node.js',
  ],
])('nothing is installed on %s', async (_where, facts, files, reason) => {
  const { run, prefix } = await kit(facts, files);
  const { exitCode, stderr } = await run();
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining(reason)]);
  expect(existsSync(join(prefix, 'lib', 'askd'))).toBe(false);
  expect(existsSync(join(prefix, 'lib', 'askd.new'))).toBe(false);
});

test.runIf(process.platform === 'linux')(
  'nothing is installed where the C library is another one',
  async () => {
    const { run } = await kit({ libc: libcOf() === 'musl' ? 'glibc 2.36' : 'musl' });
    expect((await run()).stderr).toContain('this machine has another C library');
  },
);

test('a folder of the same name that is not askd is left alone', async () => {
  const { run, prefix } = await kit();
  const mine = join(prefix, 'lib', 'askd', 'mine.txt');
  mkdirSync(dirname(mine), { recursive: true });
  writeFileSync(mine, '');
  expect((await run()).stderr).toContain('is there already, and is no askd');
  expect(existsSync(mine)).toBe(true);
});

test('a wrong archive or option changes nothing', async () => {
  const { run, prefix } = await kit();
  expect((await run('/nowhere.tar')).stderr).toContain(
    'There is no file /nowhere.tar. Nothing was installed.',
  );
  expect((await run('--help')).stderr).toContain('Usage: sh install/install.sh [ARCHIVE] [--prefix FOLDER]');
  expect(existsSync(prefix)).toBe(false);
  expect(readFileSync(binFile('install.js'), 'utf8')).not.toMatch(/\?\.|\?\?/);
});

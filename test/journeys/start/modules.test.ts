import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { binFile } from '../../../src/base/paths.ts';
import { install } from '../../helpers/daemon/installation.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const OWN = /^node:|^data:|\/(bin|dist\/bundle\/(cli|shared|src)|node_modules\/commander)\/[^:]+$/;
const COMMAND_FILE = /\/dist\/bundle\/cli\/commands\//;

type Environment = ReturnType<typeof install>['environment'];

/** Records every module that a process loads: imported ones, and when it exits, those that were required. */
function recording() {
  const file = join(temporaryFolder(), 'modules');
  const hook = new URL('../../helpers/record-modules.js', import.meta.url).href;
  const name = JSON.stringify(file);
  const preload = [
    `import{appendFileSync}from'node:fs';import{createRequire,register}from'node:module'`,
    `register('${hook}',{data:{file:${name}}})`,
    `const{cache}=createRequire('/none')`,
    `process.on('exit',()=>appendFileSync(${name},Object.keys(cache).map((path)=>path+'\\n').join('')))`,
  ].join(';');
  return {
    args: ['--import', `data:text/javascript,${encodeURIComponent(preload)}`],
    read: () => readFileSync(file, 'utf8').trim().split('\n'),
  };
}

/** Every module that a command line imports, in the real program. */
async function modulesOf(line: string, env: Environment): Promise<string[]> {
  const { args, read } = recording();
  const { exitCode } = await execa(process.execPath, [...args, binFile('askd.js'), ...line.split(' ')], {
    env,
  });
  expect(exitCode).toBe(0);
  return read().filter((path) => /^(file|node|data):/.test(path));
}

test.each([
  ['--help', 'the files of all', undefined, 250],
  ['chat --help', 'the file of one', 1, 70],
])('askd %s reads %s of the commands, and no package but commander', async (line, _files, commands, most) => {
  const loaded = await modulesOf(line, install().environment);
  expect(loaded.filter((url) => !OWN.test(url))).toEqual([]);
  if (commands !== undefined) expect(loaded.filter((url) => COMMAND_FILE.test(url))).toHaveLength(commands);
  expect(loaded.length).toBeGreaterThan(10);
  expect(loaded.length).toBeLessThan(most);
});

test.each(['--version', '-V'])('askd %s reads the version, and nothing of the command line', async (flag) => {
  const { askd, environment } = install();
  const loaded = await modulesOf(flag, environment);
  const bundled = loaded.filter((url) => url.includes('/dist/bundle/'));
  expect(bundled.length).toBeGreaterThan(0);
  expect(bundled.filter((url) => !/\/(src\/base|shared)\/(version|paths)/.test(url))).toEqual([]);
  expect((await askd([flag])).stdout).toBe((await askd(['version'])).stdout);
});

test('a command that shows data reads its own file, the client, and no package but commander', async () => {
  const { askd, environment } = install();
  await askd(['up']);
  for (const line of ['models --json', 'ls', '--json keys list', 'wallet balance', 'status']) {
    const loaded = await modulesOf(line, environment);
    expect(loaded.filter((url) => !OWN.test(url))).toEqual([]);
    expect(loaded.filter((url) => COMMAND_FILE.test(url))).toHaveLength(1);
    expect(loaded.length, `modules of askd ${line}`).toBeLessThan(120);
  }
});

test.each([
  ['with scripted answers', { ASKD_TEST_ANSWERS: '{"rules":[{"answer":{"text":"Hello."}}]}' }],
  ['with the starter model', {}],
])('a starting daemon %s reads no package that only some requests need', async (_name, answers) => {
  const { args, read } = recording();
  const daemon = execa(process.execPath, [...args, binFile('askd-daemon.js'), '--test'], {
    env: { ...install().environment, ...answers },
  });
  for await (const line of daemon) if (line.startsWith('{')) daemon.stdin.end();
  expect((await daemon).exitCode).toBe(0);
  const packages = new Set(
    read().flatMap((path) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []),
  );
  expect(packages).toContain('fastify');
  for (const name of ['undici', 'yaml', 'image-size', '@fastify/busboy'])
    expect(packages).not.toContain(name);
});

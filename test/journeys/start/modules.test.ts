import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { binFile } from '../../../src/base/paths.ts';
import { install } from '../../helpers/daemon/installation.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const OWN = /^node:|^data:|\/(bin|dist\/cli|dist\/src|node_modules\/commander)\/[^:]+$/;
const COMMAND_FILE = /\/dist\/cli\/commands\//;

type Environment = ReturnType<typeof install>['environment'];

/** Every module that a command line reads, in the real program. */
async function modulesOf(line: string, env: Environment): Promise<string[]> {
  const file = join(temporaryFolder(), 'modules');
  const hook = new URL('../../helpers/record-modules.js', import.meta.url).href;
  const preload = `import{register}from'node:module';register('${hook}',{data:{file:${JSON.stringify(file)}}})`;
  const args = [
    '--import',
    `data:text/javascript,${encodeURIComponent(preload)}`,
    binFile('askd.js'),
    ...line.split(' '),
  ];
  expect((await execa(process.execPath, args, { env })).exitCode).toBe(0);
  return readFileSync(file, 'utf8').trim().split('\n');
}

test.each([
  ['--help', 'the files of all', undefined, 250],
  ['--version', 'no file', 0, 50],
  ['chat --help', 'the file of one', 1, 70],
])(
  'askd %s reads %s of the commands, and of packages commander alone',
  async (line, _files, commands, most) => {
    const loaded = await modulesOf(line, install().environment);
    expect(loaded.filter((url) => !OWN.test(url))).toEqual([]);
    if (commands !== undefined) expect(loaded.filter((url) => COMMAND_FILE.test(url))).toHaveLength(commands);
    expect(loaded.length).toBeGreaterThan(10);
    expect(loaded.length).toBeLessThan(most);
  },
);

test('a command that shows data reads its own file, the client, and of packages commander alone', async () => {
  const { askd, environment } = install();
  await askd(['up']);
  for (const line of ['models --json', 'ls', '--json keys list', 'wallet balance', 'status']) {
    const loaded = await modulesOf(line, environment);
    expect(loaded.filter((url) => !OWN.test(url))).toEqual([]);
    expect(loaded.filter((url) => COMMAND_FILE.test(url))).toHaveLength(1);
    expect(loaded.length, `modules of askd ${line}`).toBeLessThan(120);
  }
});

import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { homePaths } from '../../../src/base/paths.ts';
import { announce, runCli } from '../../helpers/terminal/cli.ts';
import { startDaemon } from '../../helpers/daemon/daemon.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

describe('askd run', () => {
  test('with a name that does not exist suggests no pull, but similar names and where to look', async () => {
    const { run } = await besideDaemon();
    expect(await run('run', 'starter-chatt', 'hi')).toEqual({
      code: 5,
      stdout: '',
      stderr:
        'error: No model is called "starter-chatt", neither installed nor in the catalogue. Did you mean starter-chat?\n' +
        'fix: askd models, askd list --available, or askd search starter-chatt\n',
    });
    expect((await run('run', 'nope', 'hi')).stderr).not.toContain('askd pull');
  });

  test('with a service that has no model says so, with the command below it', async () => {
    const { run } = await besideDaemon({ ASKD_STARTER: 'off' });
    expect((await run('load', 'svc-embed-v1')).stderr).toMatch(
      /^error: The model `svc-embed-v1` is not installed \(\d+ MB to download\)\.\nfix: askd pull svc-embed-v1\n$/,
    );
  });
});

test.each(['nosuch', 'keys nosuch', '--json nosuch', 'nosuch keys'])(
  'help about an unknown command fails as the command does: askd %s --help',
  async (words) => {
    const run = (args: string) => runCli(args.split(' '), { home: temporaryFolder() });
    const without = await run(words);
    expect(without).toMatchObject({ code: 2, stdout: '' });
    expect(without.stderr).toContain("unknown command 'nosuch'");
    expect(await run(`${words} --help`)).toEqual(without);
    expect(await run(`${words} -h`)).toEqual(without);
  },
);

test('an unknown setting in the file is reported with similar names, and can be removed', async () => {
  const home = temporaryFolder();
  const { config } = homePaths(home);
  writeFileSync(config, '{"keep_alife": "2h"}');
  const run = (args: string) => runCli(args.split(' '), { home });
  const { code, stderr } = await run('config list');
  expect(code).toBe(3);
  expect(stderr).toBe(
    `error: ${config} has an unknown setting "keep_alife". Did you mean keep_alive?\n` +
      'fix: askd config unset keep_alife, or askd config edit; then askd config list shows all\n',
  );
  expect(await run('config unset keep_alife')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Removed keep_alife from ') as unknown,
  });
  expect((await run('config list')).code).toBe(0);
});

async function besideDaemon(env: Record<string, string> = {}) {
  const daemon = await startDaemon(env);
  announce(daemon);
  return { run: (...args: string[]) => runCli(args, { home: daemon.home }) };
}

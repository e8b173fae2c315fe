import { expect, test } from 'vitest';
import { announce, runCli } from '../../helpers/terminal/cli.ts';
import { startDaemon } from '../../helpers/daemon/daemon.ts';

const ESCAPE = '\u001b';

test('a terminal gets colours, a pipe never does', async () => {
  const daemon = await startDaemon();
  announce(daemon);
  const { home } = daemon;
  expect((await runCli(['models'], { home, terminal: true })).stdout).toContain(ESCAPE);
  expect((await runCli(['show', 'nope'], { home, terminal: true })).stderr).toContain(`${ESCAPE}[31merror:`);
  for (const args of [['models'], ['keys', 'list'], ['status'], ['ps'], ['logs'], ['show', 'nope']]) {
    const { stdout, stderr } = await runCli(args, { home });
    expect(stdout + stderr, args.join(' ')).not.toContain(ESCAPE);
  }
});

test.each([
  ['--no-color', {}],
  ['NO_COLOR', { NO_COLOR: '1' }],
  ['TERM=dumb', { TERM: 'dumb' }],
])('%s switches them off', async (name, env) => {
  const daemon = await startDaemon();
  announce(daemon);
  const flags = name.startsWith('--') ? [name] : [];
  const run = (...args: string[]) => runCli([...args, ...flags], { home: daemon.home, env, terminal: true });
  expect((await run('models')).stdout).not.toContain(ESCAPE);
  expect((await run('show', 'nope')).stderr).not.toContain(ESCAPE);
});

import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { announce, runCli } from '../../helpers/terminal/cli.ts';
import { startDaemon } from '../../helpers/daemon/daemon.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

/** A folder with an xdg-open that runs a line of shell. */
function opener(line: string): string {
  const folder = temporaryFolder();
  const file = join(folder, 'xdg-open');
  writeFileSync(file, `#!/bin/sh\n${line}\n`);
  chmodSync(file, 0o755);
  return folder;
}

const LINK = /^http:\/\/127\.0\.0\.1:\d+\/login#askcode_[\w-]{43}$/;

test.skipIf(process.platform !== 'linux')(
  'the link goes to the browser, and not to the terminal',
  async () => {
    const daemon = await startDaemon();
    announce(daemon);
    const folder = opener('echo "$1" > "$(dirname "$0")/opened"');
    const env = { PATH: `${folder}:/usr/bin:/bin`, DISPLAY: ':0' };
    const { code, stdout, stderr } = await runCli(['dashboard'], { home: daemon.home, env });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toBe('Opening the dashboard in your browser.\n');
    await vi.waitFor(() => expect(readFileSync(join(folder, 'opened'), 'utf8')).toContain('\n'), 20_000);
    expect(readFileSync(join(folder, 'opened'), 'utf8').trim()).toMatch(LINK);
  },
);

test.skipIf(process.platform !== 'linux').each([
  ['the opener fails', 'exit 3', { DISPLAY: ':0' }],
  ['there is no screen', 'exit 0', {}],
])('the link is printed when %s', async (_when, line, screen) => {
  const daemon = await startDaemon();
  announce(daemon);
  const env = { PATH: `${opener(line)}:/usr/bin:/bin`, ...screen };
  const { code, stdout } = await runCli(['dashboard'], { home: daemon.home, env });
  expect(code).toBe(0);
  expect(stdout.trim()).toMatch(LINK);
});

test('the link is printed when there is no opener, with --no-open and with --json', async () => {
  const daemon = await startDaemon();
  announce(daemon);
  const env = { PATH: temporaryFolder(), DISPLAY: ':0' };
  const run = async (...args: string[]) => runCli(['dashboard', ...args], { home: daemon.home, env });
  expect((await run()).stdout.trim()).toMatch(LINK);
  expect((await run('--no-open')).stdout.trim()).toMatch(LINK);
  const document = JSON.parse((await run('--json')).stdout) as Record<string, string>;
  expect(document).toMatchObject({ schema: 'dashboard/1', login_url: expect.stringMatching(LINK) });
  expect(Date.parse(document['expires_at'] ?? '')).toBeGreaterThan(Date.now());
});

test('a script’s session is printed as a Cookie header, is listed without it, and can be ended', async () => {
  const daemon = await startDaemon();
  announce(daemon);
  const run = async (line: string) => runCli(line.split(' '), { home: daemon.home });
  const made = JSON.parse((await run('session create --json')).stdout) as Record<string, string>;
  expect(Object.keys(made).sort()).toEqual(['cookie', 'expires_at', 'id', 'schema']);
  const withCookie = () =>
    daemon.call('GET', '/api/keys', { token: null, headers: { cookie: made['cookie'] ?? '' } });
  expect((await withCookie()).status).toBe(200);
  expect((await run('session create')).stdout).toMatch(/^askd_session_\d+=asksess_[\w-]{43}\n$/);

  const list = await run('session list');
  expect(list.stdout).toContain(made['id']);
  expect(list.stdout).not.toContain('asksess_');
  expect(await run(`session revoke ${made['id']}`)).toMatchObject({ code: 0, stdout: 'Ended 1 session.\n' });
  expect((await withCookie()).status).toBe(401);
  expect(await run('session revoke --all --json')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('"revoked": 1') as string,
  });
  expect((await run('session list')).stdout).toBe('No open sessions: askd dashboard\n');
  expect(await run('session revoke')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--all') as string,
  });
  expect((await run('session revoke sess_0')).code).toBe(5);
});

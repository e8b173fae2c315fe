import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startDaemon } from '../../helpers/daemon/daemon.ts';
import { announce, runCli } from '../../helpers/terminal/cli.ts';

test('a rotated token works at once, the old one no longer does, and the command line uses the new one', async () => {
  const daemon = await startDaemon();
  const { home, services, call } = daemon;
  announce(daemon);
  const file = join(home, 'root-token');
  const old = readFileSync(file, 'utf8');
  expect(await runCli(['token', 'rotate'], { home })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(file) as string,
  });
  const now = readFileSync(file, 'utf8');
  expect([now === old, now === services.rootToken.current()]).toEqual([false, true]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect((await call('GET', '/api/keys', { token: old })).status).toBe(401);
  expect((await call('GET', '/api/keys', { token: now })).status).toBe(200);
  const listed = await runCli(['keys', 'list', '--json'], { home });
  expect(listed.code).toBe(0);
  const again = await runCli(['token', 'rotate', '--json'], { home });
  expect(JSON.parse(again.stdout)).toEqual({ schema: 'token-rotate/1', path: file });
  expect([...Object.values(listed), ...Object.values(again)].join()).not.toContain('askroot_');
});

test('neither a key nor a session can rotate it', async () => {
  const { call, services } = await startDaemon();
  const admin = services.keys.create({
    accountId: 'acct_local',
    name: 'admin',
    scopes: ['admin'],
    expiresAt: null,
  });
  const before = services.rootToken.current();
  expect((await call('POST', '/api/root-token/rotate', { token: admin.key })).status).toBe(401);
  const { cookie } = (await call('POST', '/api/sessions')).json<{ cookie: string }>();
  const bySession = await call('POST', '/api/root-token/rotate', { token: null, headers: { cookie } });
  expect(bySession.status).toBe(401);
  expect(services.rootToken.current()).toBe(before);
});

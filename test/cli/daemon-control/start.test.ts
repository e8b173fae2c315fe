import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openStore } from '../../../src/store/store.ts';
import { homePaths } from '../../../src/base/paths.ts';
import { install } from '../../helpers/daemon/installation.ts';
import { runCli } from '../../helpers/terminal/cli.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const up = (home: string, env: Record<string, string> = {}) =>
  runCli(['up'], { home, env: { ASKD_PORT: '0', ...env } });

test(
  'a daemon that refuses to start says why, and the command that fixes it',
  { timeout: 60_000 },
  async () => {
    const { code, stdout, stderr } = await up(temporaryFolder(), { ASKD_STRIPE_SECRET_KEY: 'sk_test_1' });
    expect([code, stdout]).toEqual([6, '']);
    expect(stderr).toMatch(
      /^error: The askd daemon did not start: Stripe needs .*stripe_webhook_secret is empty/m,
    );
    expect(stderr).toMatch(
      /^fix: askd secrets set stripe_webhook_secret, or askd secrets rm stripe_secret_key$/m,
    );
  },
);

test('a reason that already names a command gets no other one', { timeout: 60_000 }, async () => {
  const home = temporaryFolder();
  const store = openStore(homePaths(home).database);
  store.prepare('PRAGMA user_version = 9999').run();
  store.close();
  const { code, stderr } = await up(home);
  expect(code).toBe(6);
  expect(stderr).toContain('did not start: The database');
  expect(stderr).not.toContain('startup.log');
  expect(stderr.match(/^fix: /gm)).toHaveLength(1);
});

test.runIf(process.platform === 'linux')(
  'a chat starts the daemon for its model',
  { timeout: 60_000 },
  async () => {
    const { askd, daemonPid } = install({ ASKD_OFFLINE: 'true' });
    expect((await askd(['chat', '--quiet', 'hi'])).exitCode).toBe(0);
    const line = readFileSync(`/proc/${daemonPid()}/cmdline`, 'utf8');
    expect(line.split('\0').slice(2, 4)).toEqual(['--load', 'svc-chat-v1']);
  },
);

import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { binFile } from '../../../src/base/paths.ts';
import { install, type Installation } from '../../helpers/daemon/installation.ts';
import { hasKeyring, openKeyring } from '../../helpers/keyring.ts';
import { openTerminal } from '../../helpers/terminal/terminal.ts';

const SECRET = 'sk_test_0123456789';
/** Stripe needs both of its secrets, so a daemon that can read only one says so and does not start. */
const HALF = 'stripe_webhook_secret is empty';

const inClear = ({ home }: Installation) =>
  writeFileSync(join(home, 'config.json'), JSON.stringify({ stripe_secret_key: SECRET }), { mode: 0o600 });
const read = ({ home }: Installation, name: string) => readFileSync(join(home, name), 'utf8');
const placeOf = async ({ askd }: Installation, name: string) => {
  const { secrets } = (await askd(['secrets', 'list', '--json'])).json<{
    secrets: { name: string; kept: string | null }[];
  }>();
  return secrets.find((secret) => secret.name === name)?.kept;
};

describe.runIf(hasKeyring)('with a keyring', () => {
  test('migrate moves a secret there, the daemon reads it, and nothing reveals it', async () => {
    const installed = install((await openKeyring()).env);
    const { askd } = installed;
    inClear(installed);
    expect(await placeOf(installed, 'stripe_secret_key')).toBe('config');
    expect((await askd(['doctor'])).stdout).toContain('fix: askd secrets migrate');

    expect((await askd(['secrets', 'migrate'])).stdout).toBe('stripe_secret_key is kept in the keyring.');
    expect(read(installed, 'config.json') + read(installed, 'secrets.json')).not.toContain(SECRET);
    expect(await placeOf(installed, 'stripe_secret_key')).toBe('keyring');
    const doctor = await askd(['doctor']);
    expect(doctor.stdout).toMatch(/^ok +secrets: stripe_secret_key is in the keyring$/m);
    expect(doctor.stdout + (await askd(['config', 'list'])).stdout).not.toContain(SECRET);

    expect((await askd(['up'])).stderr).toContain(HALF);
    await askd(['secrets', 'set', 'stripe_webhook_secret'], { input: 'whsec_0123456789' });
    expect(await askd(['up'])).toMatchObject({ exitCode: 0 });

    expect((await askd(['secrets', 'migrate', '--to', 'file'])).exitCode).toBe(0);
    expect(await placeOf(installed, 'stripe_secret_key')).toBe('file');
    expect(read(installed, 'secrets.json')).toContain(SECRET);
  });

  test('a locked one is asked once: the daemon starts without it, and new secrets go into the file', async () => {
    const keyring = await openKeyring();
    const installed = install(keyring.env);
    const { askd } = installed;
    await askd(['secrets', 'set', 'stripe_secret_key'], { input: SECRET });
    await keyring.lock();

    expect((await askd(['doctor'])).stdout).toMatch(
      /^FAIL +secrets: the keyring does not return stripe_secret_key/m,
    );
    expect(await askd(['secrets', 'migrate'])).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining('askd secrets set stripe_secret_key --in file') as string,
    });
    expect(await askd(['secrets', 'set', 'hub_token', '--in', 'keyring'], { input: 'hf_1' })).toMatchObject({
      exitCode: 3,
    });
    const set = await askd(['secrets', 'set', 'hub_token'], { input: 'hf_1' });
    expect(set.stdout).toMatch(/^hub_token is kept in a file that only you can read \(no keyring: /);

    expect(await askd(['up'])).toMatchObject({ exitCode: 0 });
    expect(read(installed, 'logs/askd.log')).toContain('the daemon runs without stripe_secret_key');
    await askd(['secrets', 'set', 'stripe_secret_key', '--in', 'file'], { input: SECRET });
    await askd(['down']);
    expect((await askd(['up'])).stderr).toContain(HALF);
  });
});

describe('without a keyring', () => {
  test('secrets are in a file that only the owner can read, and are deleted on request', async () => {
    const installed = install();
    const { askd, home } = installed;
    inClear(installed);
    expect((await askd(['secrets', 'migrate'])).stdout).toContain('in a file that only you can read');
    expect(read(installed, 'config.json')).not.toContain(SECRET);
    expect(statSync(join(home, 'secrets.json')).mode & 0o777).toBe(0o600);
    expect((await askd(['up'])).stderr).toContain(HALF);

    expect((await askd(['secrets', 'rm', 'stripe_secret_key'])).stdout).toBe(
      'stripe_secret_key is forgotten.',
    );
    expect(read(installed, 'secrets.json')).not.toContain(SECRET);
    expect(await askd(['up'])).toMatchObject({ exitCode: 0 });
  });

  test('an environment variable takes precedence, and the list says so', async () => {
    const installed = install({ ASKD_STRIPE_SECRET_KEY: '' });
    const { askd } = installed;
    await askd(['secrets', 'set', 'agent_brave_key'], { input: 'from-file' });
    expect((await askd(['secrets', 'list'])).stdout).toMatch(
      /^agent_brave_key +a file that only you can read/m,
    );
    const overridden = install({ ASKD_AGENT_BRAVE_KEY: 'from-environment' });
    expect((await overridden.askd(['secrets', 'list'])).stdout).toMatch(
      /^agent_brave_key +the environment alone +ASKD_AGENT_BRAVE_KEY/m,
    );
  });

  test.each([
    ['an unknown name', ['secrets', 'set', 'smtp_ulr'], 'x', 5, 'Did you mean smtp_url'],
    ['an unusable value', ['secrets', 'set', 'smtp_url'], 'not an address', 3, 'not valid for smtp_url'],
    ['an empty value', ['secrets', 'set', 'smtp_url'], '', 2, 'Stdin is empty'],
    ['an unknown place', ['secrets', 'set', 'smtp_url', '--in', 'safe'], 'x', 2, 'keyring or file'],
  ])('%s is refused, and nothing is written', async (_, args, input, exitCode, message) => {
    const { askd, home } = install();
    const run = await askd(args, { input });
    expect(run.exitCode).toBe(exitCode);
    expect(run.stderr).toContain(message);
    expect(existsSync(join(home, 'secrets.json'))).toBe(false);
  });

  test.skipIf(process.platform !== 'linux')('a typed secret is not shown', async () => {
    const { environment, home } = install();
    const askd = `${process.execPath} ${binFile('askd.js')}`;
    const terminal = openTerminal(`${askd} secrets set hub_token`, { columns: 80, rows: 24 }, environment);
    await terminal.shows('hub_token (not shown):');
    terminal.type('hf_typed\r');
    await terminal.shows('ended with 0');
    expect(terminal.output()).not.toContain('hf_typed');
    expect(readFileSync(join(home, 'secrets.json'), 'utf8')).toContain('hf_typed');
  });
});

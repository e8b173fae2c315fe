import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { homePaths } from '../../../src/base/paths.ts';
import { runCli, type CliOptions } from '../../helpers/terminal/cli.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

function atHome() {
  const home = temporaryFolder();
  const { config } = homePaths(home);
  const askd = (args: string, options: CliOptions = {}) =>
    runCli(args.split(' '), { home, env: { ASKD_PORT: '' }, ...options });
  return { config, askd, file: () => JSON.parse(readFileSync(config, 'utf8')) as unknown };
}

test('a setting is set, read and removed again', async () => {
  const { askd, file, config } = atHome();
  expect((await askd('config get port')).stdout).toBe('11535\n');
  expect(await askd('config set port 12000')).toMatchObject({ code: 0, stdout: 'port is 12000.\n' });
  expect(await askd('config set keep_alive 2h')).toMatchObject({ code: 0 });
  expect(await askd('config set webhooks_allow_cidrs ["10.0.0.0/8"]')).toMatchObject({ code: 0 });
  expect(file()).toEqual({ port: 12000, keep_alive: '2h', webhooks_allow_cidrs: ['10.0.0.0/8'] });
  expect(statSync(config).mode & 0o777).toBe(0o600);
  const listed = JSON.parse((await askd('config list --json')).stdout) as { settings: object[] };
  expect(listed.settings).toContainEqual({ name: 'port', value: 12000, source: 'file' });
  expect(await askd('config unset port')).toMatchObject({
    code: 0,
    stdout: 'port is back to its default.\n',
  });
  expect((await askd('config get port')).stdout).toBe('11535\n');
});

test('the environment takes precedence, and the output says so', async () => {
  const { askd } = atHome();
  const env = { ASKD_PORT: '13000' };
  expect((await askd('config set port 12000', { env })).stderr).toContain(
    'ASKD_PORT in the environment overrides it',
  );
  expect(JSON.parse((await askd('config get port --json', { env })).stdout)).toMatchObject({
    value: '13000',
    source: 'environment',
  });
});

test('setting a port for Ollama clients names the setting that enables their API, unless it is already on', async () => {
  const { askd } = atHome();
  const open = 'askd config set ollama_api on';
  expect((await askd('config set ollama_port 11434')).stderr).toContain(open);
  expect((await askd(open.slice('askd '.length))).stderr).not.toContain(open);
  expect((await askd('config set ollama_port 11434')).stderr).not.toContain(open);
});

test('a setting is still found under its earlier name, and written under the present one', async () => {
  const { askd, file } = atHome();
  expect(await askd('config set ollama_door on')).toMatchObject({ code: 0, stdout: 'ollama_api is on.\n' });
  expect(file()).toEqual({ ollama_api: 'on' });
  expect(await askd('config get ollama_door')).toMatchObject({ code: 0, stdout: 'on\n' });
  expect(await askd('config unset ollama_door')).toMatchObject({ code: 0 });
  expect(file()).toEqual({});
});

test('an unusable value is rejected before it is written', async () => {
  const { askd, config } = atHome();
  expect(await askd('config set port many')).toMatchObject({ code: 3, stdout: '' });
  expect(await askd('config set colour blue')).toMatchObject({ code: 5, stdout: '' });
  expect(() => statSync(config)).toThrow();
});

test('a secret is read from stdin and never shown', async () => {
  const { askd, file } = atHome();
  expect(await askd('config set stripe_secret_key sk_test_abcdefgh')).toMatchObject({ code: 2, stdout: '' });
  const set = await askd('config set stripe_secret_key -', { input: 'sk_test_abcdefgh\n' });
  expect(set).toMatchObject({ code: 0, stdout: expect.stringContaining('in a file that only you can read') });
  expect(() => file()).toThrow();
  expect((await askd('config list')).stdout).not.toContain('sk_test');
});

test('a file that is not JSON is reported, with how to repair it', async () => {
  const { askd, config } = atHome();
  writeFileSync(config, '{');
  expect(await askd('config set port 1')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('askd config edit'),
  });
});

test('the list of settings fits 80 columns in a pipe, and nothing is cut', async () => {
  const { askd } = atHome();
  const { stdout } = await askd('config list');
  for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
  expect(stdout).toMatch(/^webhooks_retry_waits_ms +default +\[5000,/m);
  expect(stdout.replace(/\s+/g, '')).toContain('50400000,72000000,86400000]');
  const { stdout: plain } = await askd('config list --plain');
  expect(plain).toMatch(/^webhooks_retry_waits_ms\tdefault\t\[5000,.*86400000\]$/m);
});

test.each([
  ['port abc', 'a whole number from 0 to 65535'],
  ['memory_budget_bytes 1.5', 'a whole number of at least 0'],
  ['log_level loud', 'one of trace, debug, info, warn, error'],
  ['offline maybe', 'true or false'],
  ['keep_alive soon', 'a duration such as 30s, 10m or 1h30m, or forever'],
  ['npm_registry nowhere', 'an address such as https://host.example'],
  ['webhooks_retry_waits_ms 1,x', 'a comma-separated list, each a whole number from 0 to 604800000'],
  ['moderation_thresholds 2', 'numbers from 0 to 1 by category, such as {"hate":0.4}'],
])('config set %s is rejected with the allowed values', async (given, may) => {
  const { askd } = atHome();
  expect((await askd(`config set ${given}`)).stderr).toContain(` It must be ${may}.\n`);
});

test('an unusable value in the environment is rejected with the allowed values', async () => {
  const { askd } = atHome();
  expect((await askd('config list', { env: { ASKD_PORT: 'abc' } })).stderr).toContain(
    'It must be a whole number from 0 to 65535.',
  );
});

test('an unknown setting is reported with similar names, and with the command that lists all', async () => {
  const { askd } = atHome();
  expect((await askd('config get nope')).stderr).toBe(
    'error: Unknown setting "nope".\nfix: askd config list\n',
  );
  expect((await askd('config get prot')).stderr).toContain('Did you mean port?\nfix: askd config list\n');
  expect((await askd('config get cache-type')).stderr).toContain('Did you mean kv_cache_type?');
});

test('a value is added to a list, once, and removed from it', async () => {
  const { askd, file } = atHome();
  const added = await askd('config add allowed_origins http://localhost:8080/');
  expect(added).toMatchObject({ code: 0, stdout: 'allowed_origins is ["http://localhost:8080"].\n' });
  expect(added.stderr).toContain('askd restart');
  await askd('config add allowed_origins http://localhost:8080');
  await askd('config add allowed_origins vscode-webview://*');
  expect(file()).toEqual({ allowed_origins: ['http://localhost:8080', 'vscode-webview://*'] });
  const removed = await askd('config remove allowed_origins HTTP://localhost:8080');
  expect(removed).toMatchObject({ code: 0, stdout: 'allowed_origins is ["vscode-webview://*"].\n' });
  expect(await askd('config remove allowed_origins app://obsidian.md')).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('it has vscode-webview://*'),
  });
  expect((await askd('config rm allowed_origins vscode-webview://*')).stdout).toBe(
    'allowed_origins is empty.\n',
  );
});

test('adding to a list starts from its default values', async () => {
  const { askd, file } = atHome();
  await askd('config add webhooks_retry_waits_ms 90000000');
  const { webhooks_retry_waits_ms: waits } = file() as { webhooks_retry_waits_ms: number[] };
  expect([waits[0], waits.at(-1), waits.length]).toEqual([5000, 90_000_000, 10]);
});

test.each([
  ['add allowed_origins *', 'Any page you visit could use the models'],
  ['set allowed_origins http://localhost:1,https://*', 'Any page you visit could use the models'],
  ['add allowed_origins null', 'Any page can have the origin "null"'],
  ['add allowed_origins localhost:8080', 'an origin such as http://localhost:8080'],
  ['add allowed_hosts *', 'a page could reach this daemon by DNS rebinding'],
  [
    'add allowed_hosts http://mybox',
    'A host has no scheme. It must be a comma-separated list, each a name such as',
  ],
  ['add port 1', 'port is not a list.\nfix: askd config set port VALUE'],
])('config %s is refused with the reason', async (given, reason) => {
  const { askd, config } = atHome();
  const refused = await askd(`config ${given}`);
  expect(refused.stdout).toBe('');
  expect(refused.stderr).toContain(reason);
  expect(() => statSync(config)).toThrow();
});

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Setting, SettingsList } from '../../../../src/api/management/settings.ts';
import { whyGuarded } from '../../../../src/config/guarded-settings.ts';
import { RULES, type SettingName } from '../../../../src/config/config.ts';
import { openSecrets } from '../../../../src/config/secrets/secrets.ts';
import { codeOf, openBrowserSession } from '../../../helpers/accounts/sessions.ts';
import { startDaemon, type TestDaemon } from '../../../helpers/daemon/daemon.ts';

const fileOf = ({ services }: TestDaemon) => services.settings.paths.config;
const names = () => Object.keys(RULES) as SettingName[];
const contentOf = (daemon: TestDaemon) =>
  existsSync(fileOf(daemon)) ? (JSON.parse(readFileSync(fileOf(daemon), 'utf8')) as object) : {};

test('every setting is listed with its value, source and default, and no secret with its value', async () => {
  const daemon = await startDaemon({ ASKD_KEEP_ALIVE: '2h', ASKD_AGENT_BRAVE_KEY: 'brave-secret' });
  const { call } = await openBrowserSession(daemon);
  const reply = await call('GET', '/api/settings');
  const { settings, restart } = reply.json<SettingsList>();
  expect(settings.map(({ name }) => name).sort()).toEqual(
    Object.values(RULES)
      .map(({ file }) => file)
      .sort(),
  );
  const find = (name: string) => settings.find((each) => each.name === name);
  expect(find('keep_alive')).toMatchObject({
    value: '2h',
    source: 'environment',
    default: 600_000,
    needs_restart: false,
  });
  expect(find('model_slots')).toMatchObject({ value: 4, source: 'default', is_set: false });
  expect(find('agent_brave_key')).toMatchObject({ value: null, is_secret: true, is_set: true });
  expect(reply.text).not.toContain('brave-secret');
  expect(settings.every(({ summary, topic, expects }) => summary && topic && expects)).toBe(true);
  expect(restart).toBe('askd restart');
});

test('a setting is changed and reset in the file, and says that a restart is needed', async () => {
  const daemon = await startDaemon();
  const { call } = await openBrowserSession(daemon);
  const changed = await call('PUT', '/api/settings/model_slots', { body: { value: '8' } });
  expect(changed.json<Setting>()).toMatchObject({ value: 8, source: 'file', needs_restart: true });
  expect(contentOf(daemon)).toEqual({ model_slots: 8 });
  const list = await call('PUT', '/api/settings/pinned_system_prompts', { body: { value: '["a, b"]' } });
  expect(list.json<Setting>()).toMatchObject({ value: ['a, b'], is_list: true });
  const reset = await call('DELETE', '/api/settings/model_slots');
  expect(reset.json<Setting>()).toMatchObject({ value: 4, source: 'default', needs_restart: false });
  expect(contentOf(daemon)).toEqual({ pinned_system_prompts: ['a, b'] });
});

test('a value that would keep the daemon from starting is refused, and nothing is lost', async () => {
  const daemon = await startDaemon();
  const { call } = await openBrowserSession(daemon);
  await call('PUT', '/api/settings/flash_attention', { body: { value: 'off' } });
  const attempts = [
    ['kv_cache_type', 'q8_0'],
    ['model_slots', '0'],
    ['model_slots', 'many'],
    ['no_such_setting', '1'],
  ] as const;
  for (const [name, value] of attempts) {
    const reply = await call('PUT', `/api/settings/${name}`, { body: { value } });
    expect([name, value, reply.status >= 400]).toEqual([name, value, true]);
  }
  expect(contentOf(daemon)).toEqual({ flash_attention: 'off' });
  writeFileSync(fileOf(daemon), '{ broken');
  const reply = await call('PUT', '/api/settings/model_slots', { body: { value: '8' } });
  expect(codeOf(reply)).toBe('config_invalid');
  expect(readFileSync(fileOf(daemon), 'utf8')).toBe('{ broken');
});

test('settings that open the host, name files or affect payments are changed only by the command line', async () => {
  const daemon = await startDaemon();
  const { call } = await openBrowserSession(daemon);
  const guarded = names().filter((name) => whyGuarded(name) && !RULES[name].isSecret);
  expect(guarded.length).toBeGreaterThan(10);
  for (const name of guarded) {
    const path = `/api/settings/${RULES[name].file}`;
    const reply = await call('PUT', path, { body: { value: 'x' } });
    expect([name, reply.status, codeOf(reply)]).toEqual([name, 403, 'insufficient_scope']);
    expect((await call('DELETE', path)).status).toBe(403);
  }
  expect(contentOf(daemon)).toEqual({});
  const owner = await daemon.call('PUT', '/api/settings/allowed_hosts', { body: { value: 'box.lan' } });
  expect(owner.json<Setting>()).toMatchObject({ value: ['box.lan'], guarded: expect.any(String) as string });
});

test('nobody can change a secret over HTTP, and the answer names the command for it', async () => {
  const daemon = await startDaemon();
  const { call } = await openBrowserSession(daemon);
  const secrets = names().filter((name) => RULES[name].isSecret);
  expect(secrets).toContain('smtpUrl');
  for (const name of secrets) {
    const { file } = RULES[name];
    for (const by of [call, daemon.call]) {
      const put = await by('PUT', `/api/settings/${file}`, {
        body: { value: 'https://user:pass@mail.example' },
      });
      expect([name, codeOf(put)]).toEqual([name, 'invalid_value']);
      expect(put.text).toContain(`askd secrets set ${file}`);
      expect(put.text).not.toContain('pass@');
      expect((await by('DELETE', `/api/settings/${file}`)).text).toContain(`askd secrets rm ${file}`);
    }
  }
  expect(contentOf(daemon)).toEqual({});
});

test('a stored secret is listed with its place, never its value, and requires a restart', async () => {
  const daemon = await startDaemon();
  const { call } = await openBrowserSession(daemon);
  const find = async () => {
    const reply = await call('GET', '/api/settings');
    expect(reply.text).not.toContain('tavily-value');
    return reply.json<SettingsList>().settings.find(({ name }) => name === 'agent_tavily_key');
  };
  expect(await find()).toMatchObject({ is_set: false, source: 'default', needs_restart: false });
  const secrets = openSecrets(daemon.services.settings.paths);
  await secrets.put({ agent_tavily_key: 'tavily-value' }, 'file');
  expect(await find()).toMatchObject({
    value: null,
    is_set: true,
    source: 'secrets',
    needs_restart: true,
    guarded: expect.any(String) as string,
  });
  await secrets.remove(['agent_tavily_key']);
  expect(await find()).toMatchObject({ is_set: false, needs_restart: false });
});

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ArchiveProgress } from '../../../../src/api/management/archive.ts';
import { readConfigFile, writeConfigFile } from '../../../../src/config/config-file.ts';
import { startDaemon, type TestDaemon } from '../../../helpers/daemon/daemon.ts';
import { contentsOf, tarOf } from '../../../helpers/models/archives.ts';
import { randomModel } from '../../../helpers/models/models.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';

async function run(daemon: TestDaemon, path: string, body: object): Promise<ArchiveProgress[]> {
  const { text } = await daemon.call('POST', `/api/daemon/${path}`, { body });
  return [...text.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => JSON.parse(data) as ArchiveProgress);
}

/** An archive with one model, written by a machine with these settings in its configuration file. */
async function archiveWith(config: object, env = {}, more = {}) {
  const from = await startDaemon({ ASKD_OFFLINE: '1', ...env });
  const { path } = await randomModel('llama', { contextTokens: 256 });
  await from.services.library.importArtifact({ id: 'talker', path, mode: 'link' });
  writeConfigFile(from.services.settings.paths.config, { ...config });
  const archive = join(temporaryFolder(), 'models.tar');
  const events = await run(from, 'export', { path: archive, models: ['talker'], ...more });
  return { archive, exported: events.at(-1)?.settings };
}

async function receive(archive: string, { config = {}, env = {}, more = {} } = {}) {
  const to = await startDaemon({ ASKD_OFFLINE: '1', ...env });
  const file = to.services.settings.paths.config;
  writeConfigFile(file, config);
  const events = await run(to, 'import-archive', { path: archive, ...more });
  return { first: events[0], last: events.at(-1), config: readConfigFile(file) };
}

/** The same archive with other settings in its list. */
function rewritten(archive: string, settings: object): string {
  const bytes = readFileSync(archive);
  const contents = contentsOf(bytes);
  const [file] = contents.files;
  const list = { path: 'askd-archive.json', body: Buffer.from(JSON.stringify({ ...contents, settings })) };
  const start = 512 + Math.ceil(JSON.stringify(contents).length / 512) * 512 + 512;
  const body = bytes.subarray(start, start + (file?.bytes ?? 0));
  const path = join(temporaryFolder(), 'rewritten.tar');
  writeFileSync(path, tarOf([list, { path: file?.member ?? '', body }]));
  return path;
}

test('the settings that answers depend on are included, and nothing about the machine', async () => {
  const { archive, exported } = await archiveWith(
    {
      model_context_tokens: 128,
      pinned_system_prompts: ['Be brief.'],
      keep_alive: '2h',
      stripe_secret_key: 'sk_test_never',
      allowed_origins: ['https://wiki.example'],
      port: 12_000,
    },
    { ASKD_DRAFTING: 'prompt', ASKD_AGENT_BRAVE_KEY: 'never-sent' },
  );
  const carried = {
    model_context_tokens: 128,
    drafting: 'prompt',
    pinned_system_prompts: ['Be brief.'],
  };
  expect(Object.fromEntries(exported?.map(({ name, value }) => [name, value]) ?? [])).toEqual(carried);
  expect(contentsOf(readFileSync(archive)).settings).toEqual(carried);
  expect(readFileSync(archive).includes('never')).toBe(false);
  const { first, last, config } = await receive(archive);
  expect(first?.settings.map(({ outcome }) => outcome)).toEqual(['taken', 'taken', 'taken']);
  expect(last).toMatchObject({ state: 'done', settings: first?.settings });
  expect(config).toEqual(carried);
}, 60_000);

test("settings of the importing machine's owner stay, and the command that adopts the archive's is named", async () => {
  const { archive } = await archiveWith({
    model_context_tokens: 128,
    pinned_system_prompts: ["It's brief."],
    drafting: 'prompt',
    strict_parameters: true,
  });
  const config = { pinned_system_prompts: ['Be long.'], drafting: 'prompt' };
  const { last, config: after } = await receive(archive, {
    config,
    env: { ASKD_MODEL_CONTEXT_TOKENS: '64' },
  });
  expect(last?.settings).toEqual([
    {
      ...{ name: 'model_context_tokens', value: 128, outcome: 'kept' },
      reason: 'ASKD_MODEL_CONTEXT_TOKENS sets it here.',
    },
    { name: 'drafting', value: 'prompt', outcome: 'same' },
    {
      ...{ name: 'pinned_system_prompts', value: ["It's brief."], outcome: 'kept' },
      reason: 'It is set here.',
      fix: String.raw`askd config set pinned_system_prompts '["It'\''s brief."]'`,
    },
    { name: 'strict_parameters', value: true, outcome: 'taken' },
  ]);
  expect(after).toEqual({ ...config, strict_parameters: true });
}, 60_000);

test('either side can leave the settings out', async () => {
  const config = { strict_parameters: true };
  const without = await archiveWith(config, {}, { settings: false });
  expect(without.exported).toEqual([]);
  expect(contentsOf(readFileSync(without.archive))).not.toHaveProperty('settings');
  const { archive } = await archiveWith(config);
  const received = await receive(archive, { more: { settings: false } });
  expect(received.last).toMatchObject({ state: 'done', settings: [] });
  expect(received.config).toEqual({});
}, 60_000);

test('a hostile archive sets nothing that is guarded, secret, unknown, machine-specific or invalid', async () => {
  const { archive } = await archiveWith({});
  const hostile = JSON.parse(`{
    "host": "0.0.0.0", "sandbox": "off", "npm_registry": "http://evil.example", "allowed_origins": ["http://evil.example"],
    "webhooks_allow_cidrs": ["0.0.0.0/0"], "scripted_answers": "/etc/passwd", "ollama_door": true,
    "stripe_secret_key": "sk_test_theirs", "smtp_url": "smtps://a:b@evil.example",
    "port": 80, "offline": false, "otlp_endpoint": "http://evil.example", "image_urls": true,
    "__proto__": { "drafting": "prompt" }, "constructor": 1, "no_such_setting": 1, "../config": 1,
    "model_context_tokens": "many", "moderation_thresholds": { "hate": 7 }, "pinned_system_prompts": [{}]
  }`) as object;
  const { last, config } = await receive(rewritten(archive, hostile));
  expect(last?.state).toBe('done');
  expect(last?.settings.map(({ name }) => name)).toEqual(Object.keys(hostile));
  for (const setting of last?.settings ?? []) {
    expect(setting).toEqual({ name: setting.name, outcome: 'refused', reason: expect.any(String) });
  }
  expect(JSON.stringify(last)).not.toContain('sk_test_theirs');
  expect(config).toEqual({});
}, 60_000);

test('no setting is imported that would prevent the daemon from starting', async () => {
  const { archive } = await archiveWith({});
  const settings = { kv_cache_type: 'q8_0', strict_parameters: true };
  const { last, config } = await receive(rewritten(archive, settings), {
    config: { flash_attention: 'off' },
  });
  expect(last?.settings.map(({ outcome }) => outcome)).toEqual(['refused', 'taken']);
  expect(last?.settings[0]?.reason).toContain('works only with flash attention');
  expect(config).toEqual({ flash_attention: 'off', strict_parameters: true });
}, 60_000);

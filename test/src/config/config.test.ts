import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadSettings, readEnvironment, type SettingFlags } from '../../../src/config/config.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

async function settingsOf(options: { env?: Record<string, string>; file?: string; flags?: SettingFlags }) {
  const home = temporaryFolder();
  if (options.file !== undefined) writeFileSync(join(home, 'config.json'), options.file);
  return loadSettings(readEnvironment({ ASKD_HOME: home, ...options.env }), options.flags);
}

describe('settings', () => {
  test('come from the defaults when nothing is set', async () => {
    expect(await settingsOf({})).toMatchObject({ host: '127.0.0.1', port: 11535 });
  });

  test('prefer a flag over the environment over the file', async () => {
    const file = JSON.stringify({ port: 1, host: '127.0.0.2', model_slots: 3 });
    const env = { ASKD_PORT: '2', ASKD_HOST: '127.0.0.3' };
    expect(await settingsOf({ file, env, flags: { port: 3 } })).toMatchObject({
      port: 3,
      host: '127.0.0.3',
      modelSlots: 3,
    });
  });

  test('accept a list as text with commas or as an array', async () => {
    const lists = { webhooksAllowCidrs: ['10.0.0.0/8', 'fd00::/8'], webhooksRetryWaitsMs: [1, 2] };
    const file = '{"webhooks_allow_cidrs": ["10.0.0.0/8", "fd00::/8"], "webhooks_retry_waits_ms": [1, 2]}';
    const env = { ASKD_WEBHOOKS_ALLOW_CIDRS: '10.0.0.0/8, fd00::/8', ASKD_WEBHOOKS_RETRY_WAITS_MS: '1,2' };
    expect(await settingsOf({ file })).toMatchObject(lists);
    expect(await settingsOf({ env })).toMatchObject(lists);
  });

  test.each([
    ['a port that is no number', { env: { ASKD_PORT: 'many' } }, /ASKD_PORT/],
    ['a port out of range', { env: { ASKD_PORT: '70000' } }, /70000/],
    [
      'a cache in another form than those there are',
      { env: { ASKD_KV_CACHE_TYPE: 'q2' } },
      /ASKD_KV_CACHE_TYPE/,
    ],
    [
      'a quantized cache without what it needs',
      { file: '{"kv_cache_type": "q8_0", "flash_attention": "off"}' },
      /q8_0.*flash_attention/,
    ],
    [
      'an unknown setting in the file',
      { file: '{"prot": 1}' },
      /unknown setting "prot"\. Did you mean port\b[^.]*\?$/,
    ],
    ['a file that is not JSON', { file: '{' }, /not valid JSON/],
    ['a network without its size', { env: { ASKD_WEBHOOKS_ALLOW_CIDRS: '10.0.0.1' } }, /10\.0\.0\.1/],
    [
      'a network of too many bits',
      { file: '{"webhooks_allow_cidrs": ["10.0.0.0/33"]}' },
      /webhooks_allow_cidrs/,
    ],
    ['a wait that is no number', { env: { ASKD_WEBHOOKS_RETRY_WAITS_MS: '5,soon' } }, /5,soon/],
    [
      'an address of a mail server that is none',
      { env: { ASKD_SMTP_URL: 'smtp//u:pw@mail' } },
      /ASKD_SMTP_URL/,
    ],
    ['a wrong type in the file', { file: '{"port": "x"}' }, /port in .*config\.json/],
  ])('refuse %s and name it', async (_name, options, message) => {
    await expect(settingsOf(options)).rejects.toThrow(message);
    await expect(settingsOf(options)).rejects.toMatchObject({ code: 'config_invalid' });
  });

  test('do not show a password that is in a value they refuse', async () => {
    for (const options of [
      { env: { ASKD_SMTP_URL: 'smtp//user:hunter2@mail.example' } },
      { file: '{"smtp_url": "smtp//user:hunter2@mail.example"}' },
      { file: '{"stripe_secret_key": ["hunter2"]}' },
      { file: '{"stripe_webhook_secret": {"is": "hunter2"}}' },
    ]) {
      await expect(settingsOf(options)).rejects.toThrow(/^(?!.*hunter2).*(smtp_url|stripe_\w+) .*not valid/i);
    }
  });
});

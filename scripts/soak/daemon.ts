import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { binFile, builtFile } from '../../src/base/paths.ts';
import type { SoakHome } from './home.ts';
import { writeScriptedModel } from '../fixtures/scripted-model.ts';

export type SoakDaemon = Awaited<ReturnType<typeof startDaemon>>;

/** The built product with two tiny models, a webhook, and limits that nobody reaches. */
export async function startDaemon(
  { folder: home, beside, clockFile }: Pick<SoakHome, 'folder' | 'beside' | 'clockFile'>,
  settings: Record<string, string>,
  hook: string,
) {
  const unset = { ASKD_API_KEY: undefined, ASKD_BASE_URL: undefined };
  const clock = {
    NODE_OPTIONS: `--import=${pathToFileURL(builtFile('scripts/soak/stepped-clock.js')).href}`,
    ASKD_SOAK_CLOCK: clockFile,
  };
  const env = { ...process.env, ...unset, ...clock, ASKD_HOME: home, ASKD_PORT: '0', ...settings };
  const askd = async (...args: string[]): Promise<unknown> => {
    const { stdout } = await promisify(execFile)(process.execPath, [binFile('askd.js'), ...args, '--json'], {
      env,
    });
    return JSON.parse(stdout) as unknown;
  };
  const stop = async (): Promise<void> => void (await askd('down'));
  try {
    const { base_url: baseUrl, pid } = (await askd('up')) as { base_url: string; pid: number };
    await askd('account', 'tier', 'enterprise', '--rpm', '1000000', '--tpm', '1000000000');
    const { key } = (await askd('keys', 'create', '--name', 'soak')) as { key: string };
    const models = await writeModels(beside);
    for (const [id, path] of Object.entries(models)) await askd('import', path, '--id', id, '--no-check');
    await askd('bind', 'svc-chat-v1', 'endless');
    writeFileSync(
      join(beside, 'notes.md'),
      'The harbour bridge was opened in 1932. It carries eight lanes.\n',
    );
    await askd('docs', 'add', join(beside, 'notes.md'), '--collection', 'notes');
    await askd('webhooks', 'add', hook, '--events', 'api_key.created,api_key.deleted,chat.completed');
    const rootToken = readFileSync(join(home, 'root-token'), 'utf8').trim();
    return { baseUrl, pid, key, rootToken, models, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function writeModels(folder: string) {
  const models = { endless: join(folder, 'endless.gguf'), second: join(folder, 'second.gguf') };
  await writeScriptedModel(models.endless, { text: 'and so on, ', endless: true });
  await writeScriptedModel(models.second, { text: 'Still here.' });
  return models;
}

import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { readModelStores } from './model-stores.ts';
import { readProxySettings } from './proxy-settings.ts';

export const HUB_ENDPOINT = 'https://huggingface.co';

/** The hub's URL and our token, from the variables that other clients of the hub also read. */
export type HubSettings = ReturnType<typeof readHubSettings>;

export function readHubSettings(env: NodeJS.ProcessEnv) {
  const cacheHome = env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const hubHome = env['HF_HOME'] || join(cacheHome, 'huggingface');
  return {
    endpoint: (env['HF_ENDPOINT'] || HUB_ENDPOINT).replace(/\/+$/, ''),
    token: env['HF_TOKEN'] || env['HUGGING_FACE_HUB_TOKEN'] || undefined,
    tokenFile: env['HF_TOKEN_PATH'] || join(hubHome, 'token'),
    cache: resolve(env['HF_HUB_CACHE'] || env['HUGGINGFACE_HUB_CACHE'] || join(hubHome, 'hub')),
    offline: isOn(env['HF_HUB_OFFLINE']) || isOn(env['TRANSFORMERS_OFFLINE']),
    proxy: readProxySettings(env),
    /** Where other programs keep their models, which are used in place. */
    otherCaches: readModelStores({ env }),
  };
}

function isOn(value: string | undefined): boolean {
  return ['1', 'on', 'yes', 'true'].includes((value ?? '').toLowerCase());
}

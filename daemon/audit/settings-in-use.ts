import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { readConfigFile } from '../../src/config/config-file.ts';
import { RULES, type SettingName, type Settings } from '../../src/config/config.ts';
import { HUB_ENDPOINT } from '../../src/config/hub-settings.ts';
import { sourceOf } from '../../src/config/list-settings.ts';
import { openSecrets } from '../../src/config/secrets/secrets.ts';
import { DEFAULTS } from '../../src/config/settings.ts';
import { openSeal } from '../../src/base/sealed.ts';
import type { Services } from '../compose.ts';
import { shownAddress, shownSetting } from './shown-setting.ts';

/** `hash` reveals a change that `shown` does not show. */
export type InUse = { shown: unknown; source: string; hash: Buffer };
export type Home = Pick<Services, 'settings' | 'rootToken'>;

export const SEAL_KEY = 'seal-key';
export const ROOT_TOKEN = 'root-token';

/** The configuration of this daemon, by name: settings that are not the default, and the keys of its home. */
export function settingsInUse({ settings, rootToken }: Home): Map<string, InUse> {
  const { paths } = settings;
  const found = new Map<string, InUse>();
  const hashOf = keyedHash(paths.sealKey);
  for (const { name, value, shown, source } of [...settingsOf(settings), ...hubSettingsOf(settings)])
    found.set(name, { shown, source, hash: hashOf(`${name} ${JSON.stringify(value)}`) });
  const key = { shown: 'set', source: 'file' };
  found.set(ROOT_TOKEN, { ...key, hash: hashOf(`${ROOT_TOKEN} ${rootToken.current()}`) });
  found.set(SEAL_KEY, { ...key, hash: createHash('sha256').update(readFileSync(paths.sealKey)).digest() });
  return found;
}

type Found = { name: string; value: unknown; shown: unknown; source: string };

function settingsOf(settings: Settings): Found[] {
  const { paths, given } = settings;
  const file = readConfigFile(paths.config);
  const places = openSecrets(paths).places();
  const names = (Object.keys(RULES) as SettingName[]).filter(
    (name) => !isDeepStrictEqual(settings[name], DEFAULTS[name]),
  );
  return names.map((name) => {
    const { source } = sourceOf(name, { env: given.env, file, places });
    // Some configuration comes from variables of other programs instead of a setting, such as HF_HUB_OFFLINE.
    const known = given.flags[name] !== undefined ? 'flag' : source === 'default' ? 'environment' : source;
    const value = settings[name];
    return { name: RULES[name].file, value, shown: shownSetting(name, value), source: known };
  });
}

/** Where models come from, and with which token. */
function hubSettingsOf({ paths, given: { env }, hub }: Settings): Found[] {
  const found: Found[] = [];
  if (hub.endpoint !== HUB_ENDPOINT)
    found.push({
      name: 'hub_endpoint',
      value: hub.endpoint,
      shown: shownAddress(hub.endpoint),
      source: 'environment',
    });
  if (hub.token === undefined) return found;
  const isVariable = Boolean(env['HF_TOKEN'] || env['HUGGING_FACE_HUB_TOKEN']);
  const place = openSecrets(paths).places()['hub_token'] === 'keyring' ? 'keyring' : 'secrets';
  const source = isVariable ? 'environment' : place;
  return [...found, { name: 'hub_token', value: hub.token, shown: 'set', source }];
}

/** Without the key of this home, nobody can guess a value by trying. */
function keyedHash(path: string): (text: string) => Buffer {
  const key = openSeal(path).derive('settings in use', 32);
  return (text) => createHmac('sha256', key).update(text).digest();
}

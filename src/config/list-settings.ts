import { readConfigFile, requireSetting, type ConfigFile } from './config-file.ts';
import { loadSettings, RULES, type Environment, type SettingName } from './config.ts';
import { variableName } from './former-names.ts';
import { openSecrets, type SecretPlace } from './secrets/secrets.ts';
import { SETTING_FILE_NAMES } from './setting-names.ts';

export type SettingSource = 'environment' | 'keyring' | 'secrets' | 'file' | 'default';
export type ListedSetting = { name: string; value: unknown; source: SettingSource };

const HIDDEN = '(set)';

type Given = Pick<Environment, 'env' | 'home'>;

/** Every setting as the next start of the daemon would read it, with its source. Secrets are masked. */
export async function listSettings(environment: Given): Promise<ListedSetting[]> {
  const settings = await loadSettings(environment);
  const file = readConfigFile(settings.paths.config);
  const places = openSecrets(settings.paths).places();
  return SETTING_FILE_NAMES.map((name) => {
    const { name: key, isSecret } = requireSetting(name);
    const { source, variable } = sourceOf(key, { env: environment.env, file, places });
    const kept = source === 'keyring' || source === 'secrets' ? source : undefined;
    const value = (variable && environment.env[variable]) ?? kept ?? file[name] ?? settings[key];
    return { name, value: isSecret && value !== '' ? HIDDEN : value, source };
  });
}

type Places = {
  env: Environment['env'];
  file: ConfigFile;
  places: Readonly<Record<string, SecretPlace>>;
};

/** Where the next start of the daemon will find the value, and the variable that holds it. */
export function sourceOf(
  key: SettingName,
  { env, file, places }: Places,
): { source: SettingSource; variable?: string } {
  const { file: name, variable: standard } = RULES[key];
  const variable = [variableName(name), standard].find((each) => each && env[each]);
  if (variable !== undefined) return { source: 'environment', variable };
  if (places[name]) return { source: places[name] === 'keyring' ? 'keyring' : 'secrets' };
  return { source: name in file ? 'file' : 'default' };
}

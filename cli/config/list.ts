import { loadSettings, type Environment } from '../../src/config/config.ts';
import { variableName } from '../../src/config/former-names.ts';
import { SETTING_FILE_NAMES } from '../../src/config/setting-names.ts';
import { openSecrets } from '../../src/config/secrets/secrets.ts';
import { readConfigFile, requireSetting } from './file.ts';

export type ListedSetting = {
  name: string;
  value: unknown;
  source: 'environment' | 'keyring' | 'secrets' | 'file' | 'default';
};

const HIDDEN = '(set)';

/** Every setting as the next start of the daemon would read it, with its source. Secrets are masked. */
export async function listSettings(environment: Environment): Promise<ListedSetting[]> {
  const settings = await loadSettings(environment);
  const file = readConfigFile(settings.paths.config);
  const places = openSecrets(settings.paths).places();
  return SETTING_FILE_NAMES.map((name) => {
    const { name: key, isSecret } = requireSetting(name);
    const fromEnvironment = environment.env[variableName(name)] || undefined;
    const kept = places[name] && (places[name] === 'keyring' ? ('keyring' as const) : ('secrets' as const));
    const inFile = name in file ? ('file' as const) : ('default' as const);
    const source = fromEnvironment !== undefined ? ('environment' as const) : (kept ?? inFile);
    const value = fromEnvironment ?? kept ?? file[name] ?? settings[key];
    return { name, value: isSecret && value !== '' ? HIDDEN : value, source };
  });
}

import { loadSettings, type Environment } from '../../src/config/config.ts';
import { variableName } from '../../src/config/former-names.ts';
import { SETTING_FILE_NAMES } from '../../src/config/setting-names.ts';
import { readConfigFile, requireSetting } from './file.ts';

export type ListedSetting = { name: string; value: unknown; source: 'environment' | 'file' | 'default' };

const HIDDEN = '(set)';

/** Every setting as the next start of the daemon would read it, with its source. Secrets are masked. */
export async function listSettings(environment: Environment): Promise<ListedSetting[]> {
  const settings = await loadSettings(environment);
  const file = readConfigFile(settings.paths.config);
  return SETTING_FILE_NAMES.map((name) => {
    const { name: key, isSecret } = requireSetting(name);
    const fromEnvironment = environment.env[variableName(name)] || undefined;
    const source = fromEnvironment !== undefined ? 'environment' : name in file ? 'file' : 'default';
    const value = fromEnvironment ?? file[name] ?? settings[key];
    return { name, value: isSecret && value !== '' ? HIDDEN : value, source };
  });
}

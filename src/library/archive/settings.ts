import { isDeepStrictEqual } from 'node:util';
import { Failure } from '../../base/errors.ts';
import { readConfigFile, writeConfigFile, type ConfigFile } from '../../config/config-file.ts';
import { resolveSettings, RULES, type SettingName, type Settings } from '../../config/config.ts';
import { whyGuarded } from '../../config/guarded-settings.ts';
import { sourceOf } from '../../config/list-settings.ts';
import { findSetting } from '../../config/setting-names.ts';

/**
 * The settings that affect the answers of services. The others decide how a machine is reached, what it may use and
 * who pays.
 */
const CARRIED: readonly SettingName[] = [
  'modelContextTokens',
  'flashAttention',
  'kvCacheType',
  'exactVectors',
  'drafting',
  'pinnedSystemPrompts',
  'strictParameters',
  'moderationThresholds',
  'chatModerate',
  'starter',
];

const VALUE_LENGTH_MAX = 65_536;

/** By their names in the configuration file. */
export type ArchivedSettings = Record<string, unknown>;

/** `kept` means that the owner has set another value here, which an archive never replaces. */
export type CarriedSetting = {
  name: string;
  outcome: 'taken' | 'same' | 'kept' | 'refused';
  /** Absent where it is refused. */
  value?: unknown;
  reason?: string;
  fix?: string;
};

/** The settings that somebody set on this machine, as the next start of the daemon reads them. */
export function collectSettings(running: Settings): ArchivedSettings {
  const next = resolve(running, readConfigFile(running.paths.config));
  const made = CARRIED.filter((name) => next.chosen.has(name));
  return Object.fromEntries(made.map((name) => [RULES[name].file, next[name]]));
}

/** What happens to each setting, and the configuration file with those that are applied. */
export function planSettings(archived: ArchivedSettings, running: Settings) {
  let file = readConfigFile(running.paths.config);
  const settings: CarriedSetting[] = [];
  for (const [name, value] of Object.entries(archived)) {
    const setting = planOne({ name, value }, file, running);
    settings.push(setting);
    if (setting.outcome === 'taken') file = { ...file, [name]: setting.value };
  }
  return { settings, file };
}

export function takeSettings(archived: ArchivedSettings, running: Settings): CarriedSetting[] {
  const { settings, file } = planSettings(archived, running);
  if (settings.some(({ outcome }) => outcome === 'taken')) writeConfigFile(running.paths.config, file);
  return settings;
}

function planOne(
  { name, value: given }: { name: string; value: unknown },
  file: ConfigFile,
  running: Settings,
): CarriedSetting {
  const refused = (reason: string): CarriedSetting => ({ name, outcome: 'refused', reason });
  const found = findSetting(name);
  if (found?.file !== name) return refused('This askd has no such setting.');
  const guarded = whyGuarded(found.name);
  if (guarded !== undefined) return refused(guarded);
  if (!CARRIED.includes(found.name))
    return refused('It belongs to a machine, not to what its models answer.');
  const value = found.parse(given);
  if (value === undefined || JSON.stringify(given).length > VALUE_LENGTH_MAX)
    return refused(`Its value is not valid.${found.expectation(undefined)}`);
  const next = resolve(running, file);
  if (isDeepStrictEqual(value, next[found.name])) return { name, value, outcome: 'same' };
  if (next.chosen.has(found.name))
    return { name, value, outcome: 'kept', ...whyKept(found.name, value, running) };
  const problem = problemOf(() => resolve(running, { ...file, [name]: value }));
  return problem === undefined ? { name, value, outcome: 'taken' } : refused(problem);
}

function whyKept(name: SettingName, value: unknown, { given, paths }: Settings) {
  const { env, flags } = given;
  const { variable } = sourceOf(name, { env, file: readConfigFile(paths.config), places: {} });
  if (flags[name] !== undefined) return { reason: 'An option of askd up sets it here.' };
  if (variable !== undefined) return { reason: `${variable} sets it here.` };
  const typed = typeof value === 'string' ? value : JSON.stringify(value);
  const quoted = /^[\w.-]+$/.test(typed) ? typed : `'${typed.replaceAll("'", "'\\''")}'`;
  return { reason: 'It is set here.', fix: `askd config set ${RULES[name].file} ${quoted}` };
}

function problemOf(start: () => unknown): string | undefined {
  try {
    start();
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

function resolve({ given }: Settings, file: ConfigFile): Settings {
  return resolveSettings({ environment: given, flags: given.flags, file });
}

import { existsSync } from 'node:fs';
import { dirname, basename } from 'node:path';
import { Failure } from '../base/errors.ts';
import type { CacheType } from './context-cache.ts';
import { resolvePaths, type Environment } from './environment.ts';
import { variableName, withCurrentNames } from './former-names.ts';
import { readHubSettings } from './hub-settings.ts';
import { didYouMean } from '../base/did-you-mean.ts';
import { expectation } from './setting-values.ts';
import type { SecretValues } from './secrets/secrets.ts';
import { DEFAULTS, RULES, type Rule, type SettingFlags, type Settings } from './settings.ts';

export { readEnvironment, resolvePaths } from './environment.ts';
export type { Environment } from './environment.ts';
export { CHAT_IMAGES, CHAT_THEMES, PROFILES, RULES } from './settings.ts';
export type { LogLevel, Profile, SettingFlags, SettingName, Settings } from './settings.ts';

/** The environment variables that override settings. */
export const settingVariables = ({ env }: Environment): string[] =>
  Object.values(RULES)
    .map(variableOf)
    .filter((name) => env[name] !== undefined);

const variableOf = ({ file }: Pick<Rule, 'file'>) => variableName(file);

type Given = Pick<Environment, 'env' | 'home'>;

/** `secrets` are the home's, which only the daemon needs. */
export async function loadSettings(
  environment: Given,
  flags: SettingFlags = {},
  secrets: SecretValues = {},
): Promise<Settings> {
  const { config } = resolvePaths(environment);
  return resolveSettings({ environment, flags, secrets, file: await readConfigFile(config) });
}

type Sources = {
  environment: Given;
  flags: SettingFlags;
  secrets?: SecretValues;
  file: Record<string, unknown>;
};

/** The settings with this content in the file. Throws if the daemon would not start with it. */
export function resolveSettings({ environment, flags, secrets = {}, file }: Sources): Settings {
  const paths = resolvePaths(environment);
  const { env, home } = environment;
  const chosen = new Set<string>();
  const hubSettings = readHubSettings(env);
  const hub = { ...hubSettings, token: hubSettings.token ?? secrets['hub_token'] };
  const settings: Record<string, unknown> = { paths, chosen, given: { env, home, flags }, hub };
  for (const [name, rule] of Object.entries(RULES) as [keyof typeof DEFAULTS, Rule][]) {
    const variable = variableOf(rule);
    const given =
      flags[name] ??
      check(variable, env[variable], rule) ??
      (rule.variable && check(rule.variable, env[rule.variable], rule)) ??
      check(`${rule.file} of the secrets`, secrets[rule.file], rule) ??
      check(`${rule.file} in ${paths.config}`, file[rule.file], rule);
    if (given !== undefined) chosen.add(name);
    settings[name] = given ?? DEFAULTS[name];
  }
  const { offline, flashAttention, kvCacheType } = settings as Settings;
  if (flashAttention === 'off' && kvCacheType !== 'f16') throw needsFlashAttention(kvCacheType);
  return { ...settings, offline: offline || hub.offline } as Settings;
}

function needsFlashAttention(kvCacheType: CacheType): Failure {
  const message = `kv_cache_type ${kvCacheType} works only with flash attention. Set flash_attention to auto, or kv_cache_type to f16.`;
  return new Failure('config_invalid', message);
}

async function readConfigFile(path: string): Promise<Record<string, unknown>> {
  if (!existsSync(path)) return {};
  const { default: Conf } = await import('conf');
  try {
    const conf = new Conf<Record<string, unknown>>({
      cwd: dirname(path),
      configName: basename(path, '.json'),
    });
    return rejectUnknown(withCurrentNames(conf.store), path);
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw new Failure('config_invalid', `${path} is not valid JSON. Fix it or delete it.`, { cause });
  }
}

function rejectUnknown(store: Record<string, unknown>, path: string): Record<string, unknown> {
  const known = Object.values(RULES).map((rule) => rule.file);
  const unknown = Object.keys(store).find((name) => !known.includes(name));
  if (unknown === undefined) return store;
  const fix = `askd config unset ${unknown}, or askd config edit; then askd config list shows all`;
  const message = `${path} has an unknown setting "${unknown}".${didYouMean(unknown, known)}`;
  throw new Failure('config_invalid', message, { details: { fix } });
}

function check(name: string, value: unknown, rule: Rule): unknown {
  if (value === undefined || value === '') return undefined;
  const parsed = rule.parse(value);
  if (parsed !== undefined) return parsed;
  const shown = rule.isSecret ? '' : `${JSON.stringify(value)} `;
  throw new Failure(
    'config_invalid',
    `The value ${shown}of ${name} is not valid.${expectation(rule, value)} Fix or remove it.`,
  );
}

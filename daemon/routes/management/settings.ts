import { isDeepStrictEqual } from 'node:util';
import type { Principal } from '../../../src/access/keys.ts';
import {
  listSettings,
  putSetting,
  resetSetting,
  type Setting,
} from '../../../src/api/management/settings.ts';
import { Failure } from '../../../src/base/errors.ts';
import {
  parseSetting,
  readConfigFile,
  requireSetting,
  writeConfigFile,
} from '../../../src/config/config-file.ts';
import { resolveSettings, RULES, type SettingName, type Settings } from '../../../src/config/config.ts';
import { whyGuarded } from '../../../src/config/guarded-settings.ts';
import { sourceOf } from '../../../src/config/list-settings.ts';
import { openSecrets } from '../../../src/config/secrets/secrets.ts';
import { SETTING_HELP } from '../../../src/config/setting-help.ts';
import { DEFAULTS } from '../../../src/config/settings.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';

const RESTART = 'askd restart';

export function registerSettings(register: RegisterRoute, { settings, log }: Services): void {
  const { config: path } = settings.paths;

  register(listSettings, () => {
    const file = readConfigFile(path);
    const next = resolve(settings, file);
    return {
      file: path,
      restart: RESTART,
      settings: SETTING_HELP.flatMap(({ topic, settings: of }) =>
        Object.entries(of).map(([name, summary]) =>
          toRecord(name as SettingName, { topic, summary, file, next, running: settings }),
        ),
      ),
    };
  });

  register(putSetting, ({ params, body, principal, requestId }) => {
    const { name, file: named } = requireSetting(params['name'] ?? '');
    refuseGuarded(name, principal, 'set');
    return change(name, { ...readConfigFile(path), [named]: parseSetting(named, body.value) }, requestId);
  });

  register(resetSetting, ({ params, principal, requestId }) => {
    const { name, file: named } = requireSetting(params['name'] ?? '');
    refuseGuarded(name, principal, 'unset');
    const rest = Object.entries(readConfigFile(path)).filter(([each]) => each !== named);
    return change(name, Object.fromEntries(rest), requestId);
  });

  /** Nothing is written that would keep the daemon from starting again. */
  function change(name: SettingName, file: Record<string, unknown>, requestId: string): Setting {
    const next = resolve(settings, file);
    writeConfigFile(path, file);
    log.info({ request_id: requestId, setting: RULES[name].file }, 'a setting was changed');
    return toRecord(name, { ...helpOf(name), file, next, running: settings });
  }
}

function resolve({ given }: Settings, file: Record<string, unknown>): Settings {
  return resolveSettings({ environment: given, flags: given.flags, file });
}

const IN_TERMINAL = {
  set: { secret: 'secrets set', other: 'config set', value: ' VALUE' },
  unset: { secret: 'secrets rm', other: 'config unset', value: '' },
};

function refuseGuarded(name: SettingName, { sessionId }: Principal, change: 'set' | 'unset'): void {
  const why = whyGuarded(name);
  const { file, isSecret } = RULES[name];
  const { secret, other, value } = IN_TERMINAL[change];
  if (isSecret) {
    throw new Failure('invalid_value', `${file} is not changed here. ${why}`, {
      details: { fix: `askd ${secret} ${file}` },
    });
  }
  if (why === undefined || sessionId === undefined) return;
  throw new Failure('insufficient_scope', `A browser may not change ${file}. ${why}`, {
    details: { fix: `askd ${other} ${file}${value}` },
  });
}

function helpOf(name: SettingName): { topic: string; summary: string } {
  const help = SETTING_HELP.find(({ settings }) => settings[name] !== undefined);
  return { topic: help?.topic ?? '', summary: help?.settings[name] ?? '' };
}

type Parts = {
  topic: string;
  summary: string;
  file: Record<string, unknown>;
  next: Settings;
  running: Settings;
};

function toRecord(name: SettingName, { topic, summary, file, next, running }: Parts): Setting {
  const { file: named, expects = 'text', isSecret = false, isList = false } = RULES[name];
  const { env, flags } = running.given;
  const found = sourceOf(name, { env, file, places: openSecrets(running.paths).places() });
  const { source, variable } =
    flags[name] === undefined ? found : { source: 'flag' as const, variable: undefined };
  const written = flags[name] ?? (variable && env[variable]) ?? file[named] ?? next[name];
  const guarded = whyGuarded(name);
  const isSet = source !== 'default';
  return {
    name: named,
    topic,
    summary,
    expects,
    // A list may be written as one text.
    value: isSecret ? null : isList ? next[name] : written,
    default: isSecret ? null : DEFAULTS[name],
    source,
    ...(variable !== undefined && { variable }),
    is_secret: isSecret,
    is_set: isSet,
    is_list: isList,
    needs_restart: isSecret
      ? isSet !== running.chosen.has(name)
      : !isDeepStrictEqual(next[name], running[name]),
    ...(guarded !== undefined && { guarded }),
  };
}

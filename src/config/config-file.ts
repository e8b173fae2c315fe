import { existsSync, readFileSync } from 'node:fs';
import { Failure } from '../base/errors.ts';
import { didYouMean } from '../base/did-you-mean.ts';
import { writePrivateFile } from '../base/private-file.ts';
import { withCurrentNames } from './former-names.ts';
import { findSetting, SETTING_FILE_NAMES } from './setting-names.ts';

export type ConfigFile = Record<string, unknown>;

export function isSetting(name: string): boolean {
  return findSetting(name) !== undefined;
}

export function requireSetting(name: string) {
  const found = findSetting(name);
  if (found) return found;
  throw new Failure('not_found', `Unknown setting "${name}".${didYouMean(name, SETTING_FILE_NAMES)}`, {
    details: { fix: 'askd config list' },
  });
}

export function readConfigFile(path: string): ConfigFile {
  if (!existsSync(path)) return {};
  try {
    return withCurrentNames(JSON.parse(readFileSync(path, 'utf8')) as ConfigFile);
  } catch (cause) {
    throw new Failure('config_invalid', `${path} is not valid JSON.`, {
      cause,
      details: { fix: 'askd config edit' },
    });
  }
}

/** Replaced atomically: a daemon that is starting reads either the old file or the new one. */
export function writeConfigFile(path: string, config: ConfigFile): void {
  writePrivateFile(path, `${JSON.stringify(config, null, 2)}\n`);
}

/** Parses a typed value: as JSON if that is valid for this setting, otherwise as a string. */
export function parseSetting(name: string, typed: string): unknown {
  const { isUsable, isSecret, expectation } = requireSetting(name);
  const candidates = [fromJson(typed), typed].filter((each) => each !== undefined);
  const value = candidates.find(isUsable);
  if (value !== undefined) return value;
  const shown = isSecret ? 'This value' : JSON.stringify(typed);
  throw new Failure('config_invalid', `${shown} is not valid for ${name}.${expectation(typed)}`, {
    details: { fix: 'askd config list shows the current values' },
  });
}

/** A list setting, from the file or its default. Rejects other settings. */
export function readList(file: ConfigFile, name: string): unknown[] {
  const { isList, parse, standard } = requireSetting(name);
  if (isList) return (parse(file[name]) ?? standard) as unknown[];
  throw new Failure('invalid_value', `${name} is not a list.`, {
    details: { fix: `askd config set ${name} VALUE` },
  });
}

/** Adds a value to the list unless it is already there. */
export function addToList(name: string, list: readonly unknown[], typed: string): unknown[] {
  const { parse, expectation } = requireSetting(name);
  const items = parse([...list, typed]) as unknown[] | undefined;
  if (items) return [...new Set(items)];
  throw new Failure(
    'config_invalid',
    `${JSON.stringify(typed)} is not valid in ${name}.${expectation([typed])}`,
  );
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

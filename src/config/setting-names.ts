import { currentName } from './former-names.ts';
import { DEFAULTS, RULES, type SettingName } from './settings.ts';
import { expectation } from './setting-values.ts';

export const SETTING_FILE_NAMES: readonly string[] = Object.values(RULES).map(({ file }) => file);

/** Finds a setting by its name in the file. */
export function findSetting(named: string) {
  const file = currentName(named);
  const name = (Object.keys(RULES) as SettingName[]).find((each) => RULES[each].file === file);
  if (name === undefined) return undefined;
  const rule = RULES[name];
  const isUsable = (value: unknown) => rule.parse(value) !== undefined;
  return {
    name,
    file,
    isSecret: rule.isSecret ?? false,
    isList: rule.isList ?? false,
    standard: DEFAULTS[name],
    parse: rule.parse,
    isUsable,
    expectation: (value: unknown) => expectation(rule, value),
  };
}

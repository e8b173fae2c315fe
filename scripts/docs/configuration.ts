import { SETTING_HELP } from '../../src/config/setting-help.ts';
import { DURATION } from '../../src/config/setting-values.ts';
import { DEFAULTS, RULES, type SettingName } from '../../src/config/settings.ts';
import { ENVIRONMENT, FILES } from '../../cli/help/tables.ts';
import { code, table } from './page.ts';

/** Defaults that read better in words. */
const IN_WORDS: Partial<Record<SettingName, string>> = {
  memoryBudgetBytes: 'most of the memory',
  promptCacheBytes: 'an eighth of the memory, at most 8 GiB',
  moderationThresholds: '0.5 for each category',
};

/** Every setting, and what else the environment and the home contain. */
export function configurationReference(): string {
  return [
    ...SETTING_HELP.map(({ topic, settings }) => `## ${topic}\n\n${settingsTable(settings)}`),
    `## Environment\n\n${table(
      ['Variable', 'Meaning'],
      ENVIRONMENT.map(([name, says]) => [code(name), says]),
    )}`,
    `## Files\n\nBelow the home folder.\n\n${table(
      ['File', 'Content'],
      FILES.map(([name, says]) => [code(name), says]),
    )}`,
  ].join('\n\n');
}

function settingsTable(settings: Partial<Record<SettingName, string>>): string {
  const rows = Object.entries(settings).map(([name, says]) => {
    const { file, expects = 'text', isSecret } = RULES[name as SettingName];
    const values = isSecret ? `${expects}; secret: \`askd config set ${file} -\` reads stdin` : expects;
    return [code(file), defaultOf(name as SettingName), values, says];
  });
  return table(['Setting', 'Default', 'Value', 'Meaning'], rows);
}

function defaultOf(name: SettingName): string {
  const value: unknown = DEFAULTS[name];
  if (IN_WORDS[name] !== undefined) return IN_WORDS[name];
  if (RULES[name].parse === DURATION.parse) return code(durationOf(Number(value)));
  if (value === '' || (Array.isArray(value) && value.length === 0)) return 'none';
  return code(typeof value === 'string' ? value : JSON.stringify(value));
}

/** As one would type it: `10m`, `720h`. */
function durationOf(ms: number): string {
  if (ms % 3_600_000 === 0) return `${ms / 3_600_000}h`;
  return ms % 60_000 === 0 ? `${ms / 60_000}m` : `${ms / 1000}s`;
}

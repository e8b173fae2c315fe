import { SETTING_HELP } from '../../src/config/setting-help.ts';
import { RULES, type SettingName } from '../../src/config/settings.ts';
import { wrapText } from '../output/wrap.ts';

const WIDTH = 80;

/** Every setting with what it does, for `askd help settings`. */
export function settingsHelp(): string {
  return SETTING_HELP.map(({ topic, settings }) => {
    const named = Object.entries(settings).map(
      ([name, says]) => [RULES[name as SettingName].file, says.replaceAll('`', '')] as const,
    );
    const indent = Math.max(...named.map(([name]) => name.length)) + 2;
    const lines = named.map(([name, says]) =>
      wrapText(says, WIDTH - indent)
        .map((line, at) => (at === 0 ? name : '').padEnd(indent) + line)
        .join('\n'),
    );
    return `${topic}:\n${lines.join('\n')}`;
  }).join('\n\n');
}

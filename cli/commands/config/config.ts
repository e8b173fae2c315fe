import { currentName, variableName } from '../../../src/config/former-names.ts';
import type { Environment } from '../../../src/config/config.ts';
import { Failure } from '../../../src/base/errors.ts';
import { command } from '../../command.ts';
import type { Output } from '../../output/output.ts';
import type { ListedSetting } from '../../../src/config/list-settings.ts';
import { renderTable, type Column } from '../../output/table.ts';

export const RESTART = 'It takes effect when the daemon restarts: askd restart';

export const configList = command({
  name: 'config list',
  group: 'Setup:',
  summary: 'list every setting, its value and where it was set',
  details: 'Times are in milliseconds unless they were set with a unit. Secrets are not shown.',
  examples: ['askd config list', 'askd config list --json'],
  async run({ environment, output, paths }) {
    const { listSettings } = await import('../../../src/config/list-settings.ts');
    const settings = await listSettings(environment);
    output.result({ schema: 'config-list/1', file: paths.config, settings }, () =>
      renderSettings(settings, output),
    );
  },
});

export const configGet = command({
  name: 'config get',
  group: 'Setup:',
  summary: 'show one setting',
  examples: ['askd config get port'],
  configure: (commander) => void commander.argument('<setting>', 'setting, from askd config list'),
  async run({ environment, output }, { args: [named = ''] }) {
    const [{ listSettings }, { requireSetting }] = await both();
    const { file: name } = requireSetting(named);
    const found = (await listSettings(environment)).find((each) => each.name === name);
    output.result({ schema: 'config-get/1', ...found }, () => textOf(found?.value));
  },
});

export const configSet = command({
  name: 'config set',
  group: 'Setup:',
  summary: 'change a setting in the configuration file',
  details:
    'With - as the value, reads it from stdin, which keeps secrets out of your shell history. A secret is kept in the ' +
    'keyring or in a file of its own, see askd secrets --help.',
  examples: [
    'askd config set port 12000',
    'askd config set keep_alive 2h',
    'askd config set smtp_url - < file',
  ],
  configure: (commander) =>
    void commander
      .argument('<setting>', 'setting, from askd config list')
      .argument('<value>', 'text or JSON'),
  async run({ paths, output, io, environment, signal }, { args: [named = '', typed = ''] }) {
    const { parseSetting, readConfigFile, requireSetting, writeConfigFile } =
      await import('../../../src/config/config-file.ts');
    const { readStdin } = await import('../../chat/prompt.ts');
    const { file: name, isSecret } = requireSetting(named);
    if (isSecret && typed !== '-') throw secretInTheOpen(name);
    const value = parseSetting(
      name,
      typed === '-' ? (await readStdin(io.stdin, output, signal)).trim() : typed,
    );
    if (isSecret) {
      const { keepSecret, keptIn } = await import('../../config/secrets.ts');
      const kept = await keepSecret({ paths }, { name, value: String(value) });
      output.result({ schema: 'config-set/1', name, value: '(set)', kept: kept.place }, () =>
        keptIn(name, kept),
      );
    } else {
      writeConfigFile(paths.config, { ...readConfigFile(paths.config), [name]: value });
      output.result(
        { schema: 'config-set/1', name, value, file: paths.config },
        () => `${name} is ${textOf(value)}.`,
      );
    }
    warnOfEnvironment(environment.env, name, output);
    if (name === 'ollama_port' && value !== 0) await warnOllamaApiIsOff(environment, output);
    output.note(RESTART);
  },
});

export const configUnset = command({
  name: 'config unset',
  group: 'Setup:',
  summary: 'remove a setting from the configuration file',
  examples: ['askd config unset port'],
  configure: (commander) => void commander.argument('<setting>', 'setting, from askd config list'),
  async run({ paths, output }, { args: [named = ''] }) {
    const { isSetting, readConfigFile, requireSetting, writeConfigFile } =
      await import('../../../src/config/config-file.ts');
    const { openSecrets } = await import('../../../src/config/secrets/secrets.ts');
    const name = currentName(named);
    const { [name]: inFile, ...rest } = readConfigFile(paths.config);
    const [kept] = await openSecrets(paths).remove([name]);
    const before = inFile ?? kept;
    // An unknown key may be in the file, and must be removable.
    if (before === undefined) requireSetting(name);
    if (inFile !== undefined) writeConfigFile(paths.config, rest);
    const changed = isSetting(name)
      ? `${name} is back to its default.`
      : `Removed ${name} from ${paths.config}.`;
    output.result({ schema: 'config-unset/1', name, was_set: before !== undefined }, () =>
      before === undefined ? `${name} was not in ${paths.config}.` : changed,
    );
    if (before !== undefined) output.note(RESTART);
  },
});

export const configPath = command({
  name: 'config path',
  group: 'Setup:',
  summary: 'print the path of the configuration file',
  examples: ['askd config path', 'cat "$(askd config path)"'],
  async run({ paths, output }) {
    output.result({ schema: 'config-path/1', path: paths.config }, () => paths.config);
  },
});

export const configEdit = command({
  name: 'config edit',
  group: 'Setup:',
  summary: 'open the configuration file in $VISUAL or $EDITOR',
  examples: ['askd config edit', 'EDITOR=nano askd config edit'],
  async run(context) {
    const { editConfig } = await import('../../config/edit.ts');
    await editConfig(context);
    context.output.result(
      { schema: 'config-edit/1', file: context.paths.config },
      () => `${context.paths.config} is valid.`,
    );
    context.output.note(RESTART);
  },
});

const both = () =>
  Promise.all([import('../../../src/config/list-settings.ts'), import('../../../src/config/config-file.ts')]);

function secretInTheOpen(name: string): Failure {
  return new Failure('invalid_value', `${name} is a secret and would end up in your shell history.`, {
    details: { fix: `askd config set ${name} - < FILE` },
  });
}

export function warnOfEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  output: Output,
): void {
  const variable = variableName(name);
  if (env[variable]) output.note(`note: ${variable} in the environment overrides it.`);
}

async function warnOllamaApiIsOff(environment: Environment, output: Output): Promise<void> {
  const { loadSettings } = await import('../../../src/config/config.ts');
  const { ollamaApi } = await loadSettings(environment);
  if (!ollamaApi)
    output.note('note: this has no effect while ollama_api is off: askd config set ollama_api on');
}

type SettingLine = { name: string; source: string; value: string };

/** The value comes last, and a long list wraps below itself, so nothing is cut. */
function renderSettings(settings: readonly ListedSetting[], output: Output): string {
  const columns: Column<SettingLine>[] = [
    { title: 'SETTING', value: ({ name }) => name },
    { title: 'FROM', value: ({ source }) => source },
    { title: 'VALUE', value: ({ value }) => value },
  ];
  const lines = settings.flatMap(({ name, source, value }) => {
    const [first = '', ...others] = output.plain ? [textOf(value)] : splitList(textOf(value));
    const below = others.map((each) => ({ name: '', source: '', value: each }));
    return [{ name, source, value: first }, ...below];
  });
  return renderTable(lines, columns, { ...output, width: Infinity });
}

const VALUE_WIDTH = 36;

function splitList(text: string): string[] {
  const lines = [''];
  for (const part of text.split(/(?<=,)/)) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + part.length > VALUE_WIDTH) lines.push(part);
    else lines[lines.length - 1] = line + part;
  }
  return lines;
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

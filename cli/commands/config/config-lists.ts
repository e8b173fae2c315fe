import { Failure } from '../../../src/base/errors.ts';
import { command } from '../../command.ts';
import type { Context } from '../../context.ts';
import { RESTART, textOf, warnOfEnvironment } from './config.ts';

export const configAdd = command({
  name: 'config add',
  group: 'Setup:',
  summary: 'add a value to a list setting',
  details: 'A value that is already in the list is not added again.',
  examples: [
    'askd config add allowed_origins http://localhost:8080',
    "askd config add allowed_origins 'vscode-webview://*'",
    'askd config add allowed_hosts host.docker.internal',
    'askd config add allowed_hosts "$(hostname)"',
  ],
  configure: (commander) =>
    void commander
      .argument('<setting>', 'a list setting, from askd config list')
      .argument('<value>', 'one value'),
  async run(context, { args: [name = '', typed = ''] }) {
    const { addToList, readConfigFile, readList } = await import('../../../src/config/config-file.ts');
    const before = readList(readConfigFile(context.paths.config), name);
    await keep(context, { schema: 'config-add/1', name, list: addToList(name, before, typed) });
  },
});

export const configRemove = command({
  name: 'config remove',
  group: 'Setup:',
  summary: 'remove a value from a list setting',
  examples: ['askd config remove allowed_hosts host.docker.internal'],
  configure: (commander) =>
    void commander
      .argument('<setting>', 'a list setting, from askd config list')
      .argument('<value>', 'one value'),
  async run(context, { args: [name = '', typed = ''] }) {
    const { addToList, readConfigFile, readList } = await import('../../../src/config/config-file.ts');
    const before = readList(readConfigFile(context.paths.config), name);
    const [value] = addToList(name, [], typed);
    const list = before.filter((each) => each !== value);
    if (list.length === before.length) throw notInList(name, typed, before);
    await keep(context, { schema: 'config-remove/1', name, list });
  },
});

type Change = { schema: string; name: string; list: readonly unknown[] };

async function keep({ paths, environment, output }: Context, { schema, name, list }: Change): Promise<void> {
  const { readConfigFile, writeConfigFile } = await import('../../../src/config/config-file.ts');
  writeConfigFile(paths.config, { ...readConfigFile(paths.config), [name]: list });
  output.result(
    { schema, name, value: list, file: paths.config },
    () => `${name} is ${list.length === 0 ? 'empty' : textOf(list)}.`,
  );
  warnOfEnvironment(environment.env, name, output);
  output.note(RESTART);
}

function notInList(name: string, typed: string, list: readonly unknown[]): Failure {
  const has = list.length === 0 ? 'it is empty' : `it has ${list.join(', ')}`;
  return new Failure('not_found', `${JSON.stringify(typed)} is not in ${name}: ${has}.`);
}

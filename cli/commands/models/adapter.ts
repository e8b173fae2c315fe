import { resolve } from 'node:path';
import type { Adapter } from '../../../src/api/management/adapters.ts';
import { Failure } from '../../../src/base/errors.ts';
import { command } from '../../command.ts';
import { formatBytes } from '../../output/format.ts';
import { renderTable, type Column } from '../../output/table.ts';

export const adapterAdd = command<{ base: string; scale?: string }>({
  name: 'adapter add',
  group: 'Models:',
  summary: 'add a LoRA adapter to a model',
  details:
    'Requests choose it by the model name MODEL+NAME, in every API. The file is used in place. Model and adapter run as ' +
    'a model of their own: the weights are shared, and prefix caches are kept apart.',
  examples: [
    'askd adapter add legal ./legal-lora.gguf --base qwen2.5-7b',
    'askd adapter add tone ./tone.gguf --base llama3.2:3b --scale 0.5',
    'askd chat -m qwen2.5-7b+legal',
  ],
  configure(commander) {
    commander
      .argument('<name>', 'name to give it')
      .argument('<file>', 'a LoRA adapter in GGUF')
      .requiredOption('--base <model>', 'the model that it was made for')
      .option('--scale <number>', 'how strongly it is applied; 1 is as trained');
  },
  async run({ connect, options: { host }, output }, { args: [name = '', file = ''], options }) {
    const scale = scaleOf(options.scale);
    const client = await connect();
    const path = host === undefined ? resolve(file) : file;
    const { base } = options;
    const adapter = await client.addAdapter({ name, path, base, ...(scale !== undefined && { scale }) });
    output.result({ schema: 'adapter/1', ...adapter }, () =>
      [
        `Added the adapter ${adapter.name} to ${adapter.base} (${formatBytes(adapter.bytes)}).`,
        `Next: askd chat -m ${adapter.model}`,
      ].join('\n'),
    );
  },
});

export const adapterList = command({
  name: 'adapter list',
  group: 'Models:',
  summary: 'list the LoRA adapters',
  examples: ['askd adapter list', 'askd adapter ls --json'],
  async run({ connect, output }) {
    const client = await connect();
    const { adapters } = await client.adapters();
    output.result({ schema: 'adapters/1', adapters }, () =>
      adapters.length === 0
        ? 'There are no adapters. To add one: askd adapter add NAME FILE --base MODEL'
        : renderTable(adapters, COLUMNS, output),
    );
  },
});

const COLUMNS: Column<Adapter>[] = [
  { title: 'NAME', value: ({ name }) => name },
  { title: 'MODEL', value: ({ model }) => model, shrinks: 'middle' },
  { title: 'SIZE', value: ({ bytes }) => formatBytes(bytes), align: 'right' },
  { title: 'SCALE', value: ({ scale }) => String(scale), align: 'right' },
  { title: 'STATE', value: ({ is_present: isPresent }) => (isPresent ? 'ready' : 'missing') },
  { title: 'FILE', value: ({ path }) => path, shrinks: 'middle' },
];

export const adapterRemove = command({
  name: 'adapter rm',
  group: 'Models:',
  summary: 'forget a LoRA adapter; its file stays',
  examples: ['askd adapter rm legal'],
  configure: (commander) => void commander.argument('<name>', 'name of the adapter'),
  async run({ connect, output }, { args: [name = ''] }) {
    const client = await connect();
    const adapter = await client.removeAdapter(name);
    output.result(
      { schema: 'adapter/1', ...adapter },
      () => `Removed ${adapter.name}.\nKept: ${adapter.path}`,
    );
  },
});

function scaleOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const scale = Number(text);
  if (text.trim() !== '' && Number.isFinite(scale)) return scale;
  throw new Failure('invalid_value', `--scale must be a number, not "${text}".`);
}

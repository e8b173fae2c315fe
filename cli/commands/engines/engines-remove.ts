import { LLAMA_BUILD } from '../../../src/config/llama-build.ts';
import { command } from '../../command.ts';

export const enginesRemove = command({
  name: 'engines remove',
  group: 'Models:',
  summary: 'unload the models of an optional engine and delete it',
  details:
    'llama-build is the engine compiled by askd engines build; without it, the prebuilt one is used again.',
  examples: ['askd engines remove vision', 'askd engines remove llama-build'],
  configure: (commander) => void commander.argument('<engine>', 'engine, from askd engines list'),
  async run({ connect, output }, { args: [name = ''] }) {
    const client = await connect();
    const engine = await client.removeEngine(name);
    output.result({ schema: 'engines-remove/1', ...engine }, () =>
      engine.name === LLAMA_BUILD
        ? 'Removed the engine compiled here; the prebuilt one is used again. To compile it again: askd engines build'
        : `Removed the engine "${engine.name}". To reinstall it: askd engines install ${engine.name}`,
    );
  },
});

import { LLAMA_BUILD } from '../../../src/config/llama-build.ts';
import { command } from '../../command.ts';

export const enginesRemove = command({
  name: 'engines remove',
  group: 'Models:',
  summary: 'unload the models of an optional engine and delete it',
  details:
    'llama-build is the engine that askd engines build has compiled; without it the prebuilt one serves again.',
  examples: ['askd engines remove vision', 'askd engines remove llama-build'],
  configure: (commander) => void commander.argument('<engine>', 'as askd engines list names it'),
  async run({ connect, output }, { args: [name = ''] }) {
    const client = await connect();
    const engine = await client.removeEngine(name);
    output.result({ schema: 'engines-remove/1', ...engine }, () =>
      engine.name === LLAMA_BUILD
        ? 'Removed the engine that was compiled here; the prebuilt one serves again. Compile it anew with: askd engines build'
        : `Removed the engine "${engine.name}". Get it back with: askd engines install ${engine.name}`,
    );
  },
});

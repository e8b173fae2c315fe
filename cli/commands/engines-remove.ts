import { command } from '../command.ts';

export const enginesRemove = command({
  name: 'engines remove',
  group: 'Models:',
  summary: 'unload the models of an optional engine and delete it',
  examples: ['askd engines remove vision'],
  configure: (commander) => void commander.argument('<engine>', 'as askd engines list names it'),
  async run({ connect, output }, { args: [name = ''] }) {
    const client = await connect();
    const engine = await client.removeEngine(name);
    output.result(
      { schema: 'engines-remove/1', ...engine },
      () => `Removed the engine "${engine.name}". Get it back with: askd engines install ${engine.name}`,
    );
  },
});

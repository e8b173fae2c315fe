import { command } from '../../command.ts';

export const stop = command({
  name: 'stop',
  group: 'Models:',
  summary: 'unload a model from memory',
  examples: ['askd stop svc-chat-v1'],
  configure: (commander) => void commander.argument('<model>', 'id of a service model or of an artifact'),
  async run({ connect, output }, { args: [model = ''] }) {
    const client = await connect();
    const { stopped } = await client.stop(model);
    // An unknown name must not look like a model that is not loaded.
    if (!stopped) await client.model(model);
    output.result({ schema: 'stop/1', stopped }, () =>
      stopped ? `Unloaded ${model}.` : `${model} was not loaded.`,
    );
  },
});

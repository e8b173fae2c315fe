import { command } from '../../command.ts';
import { loadedModelsTable } from '../../output/loaded-models-table.ts';

export const ps = command({
  name: 'ps',
  group: 'Models:',
  summary: 'show the models in memory and their processes',
  examples: ['askd ps', 'askd ps --json'],
  async run({ connect, output }) {
    const client = await connect();
    const { models } = await client.loaded();
    output.result({ schema: 'ps/1', models }, () =>
      models.length === 0
        ? 'No model is in memory. The first request loads one.'
        : loadedModelsTable(models, output),
    );
  },
});

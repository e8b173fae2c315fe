import { command } from '../../command.ts';
import { orDash } from '../../output/format.ts';
import { renderTable } from '../../output/table.ts';

export const search = command({
  name: 'search',
  group: 'Models:',
  summary: 'search the hub for GGUF models (needs the network)',
  examples: ['askd search qwen3 4b', 'askd search embedding --json'],
  configure: (commander) => void commander.argument('<words...>', 'search terms'),
  async run({ connect, output }, { args }) {
    const client = await connect();
    const { models } = await client.search(args.flat().join(' '));
    output.result({ schema: 'search/1', models }, () => {
      if (models.length === 0) return 'No matching models on the hub.';
      const table = renderTable(
        models,
        [
          { title: 'MODEL', value: (model) => `hf:${model.repo}`, shrinks: 'middle' },
          { title: 'DOWNLOADS', value: (model) => model.downloads.toLocaleString('en'), align: 'right' },
          { title: 'LIKES', value: (model) => String(model.likes), align: 'right' },
          { title: 'LICENCE', value: (model) => orDash(model.licence) },
        ],
        output,
      );
      return `${table}\nNext: askd pull ${`hf:${models[0]?.repo ?? ''}`}`;
    });
  },
});

import { command } from '../../command.ts';

export const cp = command({
  name: 'cp',
  group: 'Models:',
  summary: 'give a model a second name',
  details: 'The new name points to the same files; nothing is copied. To remove the name: askd rm NAME',
  examples: ['askd cp qwen3.5-4b gpt-4o', 'askd alias svc-embed-v1 text-embedding-3-small'],
  configure(commander) {
    commander
      .argument('<model>', 'id of a service model or of an artifact')
      .argument('<name>', 'the new name');
  },
  async run({ connect, output }, { args: [model = '', alias = ''] }) {
    const client = await connect();
    const added = await client.addAlias({ model, alias });
    output.result(
      { schema: 'cp/1', ...added },
      () => `${added.alias} is now another name for ${added.artifact}.`,
    );
  },
});

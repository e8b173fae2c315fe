import { command } from '../../command.ts';

export const docsRemove = command({
  name: 'docs rm',
  group: 'Chat:',
  summary: 'remove a collection; the files themselves stay',
  examples: ['askd docs rm notes'],
  configure: (commander) => void commander.argument('<collection>', 'collection, from askd docs list'),
  async run({ connect, output }, { args: [name = ''] }) {
    const removed = await (await connect()).agent.docs.remove(name);
    output.result(
      { schema: 'docs-rm/1', ...removed },
      () => `Removed "${removed.name}". Its files are untouched.`,
    );
  },
});

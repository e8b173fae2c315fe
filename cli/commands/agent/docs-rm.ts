import { command } from '../../command.ts';

export const docsRemove = command({
  name: 'docs rm',
  group: 'Chat:',
  summary: 'forget a collection; the files themselves stay',
  examples: ['askd docs rm notes'],
  configure: (commander) => void commander.argument('<collection>', 'its name, from askd docs list'),
  async run({ connect, output }, { args: [name = ''] }) {
    const removed = await (await connect()).agent.docs.remove(name);
    output.result(
      { schema: 'docs-rm/1', ...removed },
      () => `Forgot "${removed.name}". Its files are untouched.`,
    );
  },
});

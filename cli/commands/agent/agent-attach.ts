import { command } from '../../command.ts';

export const agentAttach = command<{ jsonl?: true }>({
  name: 'agent attach',
  group: 'Chat:',
  summary: 'watch a run from the start; leaving does not stop it',
  examples: ['askd agent attach run_01JAB', 'askd agent attach run_01JAB --jsonl'],
  configure(commander) {
    commander
      .argument('<run>', 'run id, from askd agent list')
      .option('--jsonl', 'print every event as a line of JSON');
  },
  async run(context, { args: [id = ''], options: { jsonl = false } }) {
    const { watchRun } = await import('../../agent/watch.ts');
    const client = await context.connect('inference');
    return watchRun(context, (wanted) => client.agent.attach(id, wanted), { jsonl });
  },
});

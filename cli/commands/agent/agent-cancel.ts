import { command } from '../../command.ts';

export const agentCancel = command({
  name: 'agent cancel',
  group: 'Chat:',
  summary: 'stop a run',
  examples: ['askd agent cancel run_01JAB'],
  configure: (commander) => void commander.argument('<run>', 'run id, from askd agent list'),
  async run({ connect, output }, { args: [id = ''] }) {
    const run = await (await connect('inference')).agent.cancel(id);
    output.result({ schema: 'agent-cancel/1', ...run }, () =>
      run.status === 'cancelled' ? `Stopped ${run.id}.` : `${run.id} had already ended (${run.status}).`,
    );
  },
});

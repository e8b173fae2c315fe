import { command } from '../../command.ts';

export const agentShow = command({
  name: 'agent show',
  group: 'Chat:',
  summary: 'show a run with its answer and sources',
  examples: ['askd agent show run_01JAB', 'askd agent show run_01JAB --json'],
  configure: (commander) => void commander.argument('<run>', 'run id, from askd agent list'),
  async run({ connect, output }, { args: [id = ''] }) {
    const { renderAnswer } = await import('../../agent/watch.ts');
    const run = await (await connect('inference')).agent.find(id);
    const { query, status, stopped, answer, sources } = run;
    output.result({ schema: 'agent-show/1', ...run }, () =>
      [
        `Question: ${query}`,
        `State: ${stopped === null ? status : `${status} (${stopped.replace('_', ' ')})`}`,
        '',
        renderAnswer({ answer: answer ?? 'This run has no answer.', sources }, output),
      ].join('\n'),
    );
  },
});

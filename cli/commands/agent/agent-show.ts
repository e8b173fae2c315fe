import { command } from '../../command.ts';

export const agentShow = command<{ report?: string }>({
  name: 'agent show',
  group: 'Chat:',
  summary: 'show a run with its answer and sources',
  examples: ['askd agent show run_01JAB', 'askd agent show run_01JAB --report answer.md'],
  configure(commander) {
    commander
      .argument('<run>', 'run id, from askd agent list')
      .option('--report <file>', 'write the answer with its sources and steps to this .md or .html file');
  },
  async run({ connect, output }, { args: [id = ''], options: { report } }) {
    const [{ renderAnswer }, { reportTo }] = await Promise.all([
      import('../../agent/answer/render-answer.ts'),
      import('../../agent/report.ts'),
    ]);
    const write = report === undefined ? undefined : reportTo(report, output);
    const run = await (await connect('inference')).agent.find(id);
    await write?.(run);
    const { query, status, stopped, answer } = run;
    output.result({ schema: 'agent-show/1', ...run }, () =>
      [
        `Question: ${query}`,
        `State: ${stopped === null ? status : `${status} (${stopped.replace('_', ' ')})`}`,
        '',
        renderAnswer({ ...run, answer: answer ?? 'This run has no answer.' }, output),
      ].join('\n'),
    );
  },
});

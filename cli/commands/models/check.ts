import { command } from '../../command.ts';

type CheckOptions = { full?: true };

const EXIT_BROKEN = 9;

export const check = command<CheckOptions>({
  name: 'check',
  group: 'Models:',
  summary: 'find out whether a model works on this machine',
  details:
    'Loads the model and checks its tokenizer, chat template, end of turn, schemas, tools, speed and whatever else it can do. ' +
    'A model that only answers badly is weak; one that no request can rely on is broken, and the exit code is then 9. ' +
    'The result stays with the model: askd show. It takes seconds; --full checks the whole context, in minutes.',
  examples: ['askd check svc-chat-v1', 'askd check my-model --full', 'askd check svc-embed-v1 --json'],
  configure(commander) {
    commander
      .argument('<model>', 'a model on this machine, or a service model')
      .option('--full', 'check the whole context and more cases: minutes instead of seconds');
  },
  async run(context, { args: [model = ''], options: { full = false } }) {
    const { checkModel } = await import('../../models/check-model.ts');
    const client = await context.connect();
    const done = await checkModel(client, { model, full }, context);
    context.output.result({ schema: 'check/1', ...done }, () => `${done.artifact}: ${done.summary}`);
    return done.verdict === 'broken' ? EXIT_BROKEN : undefined;
  },
});

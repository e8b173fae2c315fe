import { collect, integerBetween, numberBetween } from '../../command-line/arguments.ts';
import { command } from '../../command.ts';
import type { EvalOptions } from '../../tasks/eval/options.ts';

const CONCURRENCY_MAX = 64;
const SAMPLES_MAX = 1_000;
const COST_MAX = 1e9;
const SEED_MAX = 2 ** 31 - 1;

export const evaluate = command<EvalOptions>({
  name: 'eval',
  group: 'Text:',
  summary: 'run the test cases of a file on models, and judge and compare the answers',
  details:
    'FILE is YAML or JSON lines; docs/evals.md describes it, and --schema prints its JSON schema for an ' +
    'editor. The exit code is 0 if every model passes all cases, or the share given with --at-least. It is 1 ' +
    'otherwise, and if a request or a judge failed.',
  examples: [
    'askd eval cases.yaml',
    'askd eval cases.yaml --model svc-chat-v1 --model my-model --samples 5 --seed 1',
    'askd eval cases.yaml --save before.json',
    'askd eval cases.yaml --compare before.json --at-least 0.9 --junit report.xml',
  ],
  configure(commander) {
    commander
      .argument('[file]', 'the cases')
      .option(
        '-m, --model <id>',
        'a model to ask; repeatable (default: those of the file, or svc-chat-v1)',
        collect,
      )
      .option('-n, --samples <count>', 'answers to each case', integerBetween(1, SAMPLES_MAX))
      .option(
        '--seed <number>',
        'makes answers repeatable; each further sample adds 1',
        integerBetween(0, SEED_MAX),
      )
      .option('--filter <text>', 'only the cases with this in their name')
      .option('--judge <id>', 'the model that judges (default: that of the file, or svc-chat-v1)')
      .option('--embed <id>', 'the model for "similar" (default: that of the file, or svc-embed-v1)')
      .option(
        '--concurrency <count>',
        'requests at a time (default: the slots of the model)',
        integerBetween(1, CONCURRENCY_MAX),
      )
      .option('--max-cost <credits>', 'stop sending requests once this is spent', numberBetween(0, COST_MAX))
      .option(
        '--at-least <share>',
        'share of the cases that each model has to pass, from 0 to 1',
        numberBetween(0, 1),
        1,
      )
      .option('--save <file>', 'write the run, to compare later ones with it')
      .option('--compare <file>', 'show what got better or worse since a saved run')
      .option('--junit <file>', 'write a report for a CI system')
      .option('--schema', 'print the JSON schema of such files');
  },
  async run(context, { args: [file], options }) {
    const { printSchema, evaluateFile } = await import('../../tasks/eval/evaluate.ts');
    return options.schema ? printSchema(context) : evaluateFile(context, file, options);
  },
});

import { Failure } from '../../../src/base/errors.ts';
import { command } from '../../command.ts';

type Options = { output?: boolean; errors?: boolean };

export const batchShow = command<Options>({
  name: 'batch show',
  group: 'Text:',
  summary: 'show the progress of a batch, or its results',
  examples: [
    'askd batch show batch_01JAB',
    'askd batch show batch_01JAB --output > answers.jsonl',
    'askd batch show batch_01JAB --errors',
  ],
  configure(commander) {
    commander
      .argument('<batch>', 'batch id, from askd batch list')
      .option('--output', 'print the answers, one per line')
      .option('--errors', 'print the requests that failed, one per line');
  },
  async run({ connect, io, output }, { args: [id = ''], options }) {
    const [{ batchCalls }, { batchText }, { saveResults }] = await Promise.all([
      import('../../tasks/batch/calls.ts'),
      import('../../tasks/batch/text.ts'),
      import('../../tasks/batch/results.ts'),
    ]);
    const calls = batchCalls((await connect('inference')).http);
    const batch = await calls.find(id);
    const wanted = [options.output && batch.output_file_id, options.errors && batch.error_file_id];
    if (!options.output && !options.errors)
      return output.result({ schema: 'batch-show/1', ...batch }, () => batchText(batch));
    if (options.output && batch.output_file_id === null && options.errors !== true)
      throw noFile(id, batch.status);
    for (const file of wanted)
      if (typeof file === 'string') await saveResults(calls, file, { path: undefined, io });
  },
});

function noFile(id: string, status: string): Failure {
  return new Failure('not_found', `The batch ${id} is ${status.replace('_', ' ')} and has no answers.`);
}

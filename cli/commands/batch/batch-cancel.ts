import { command } from '../../command.ts';

export const batchCancel = command({
  name: 'batch cancel',
  group: 'Text:',
  summary: 'stop a batch; finished answers are kept',
  examples: ['askd batch cancel batch_01JAB'],
  configure: (commander) => void commander.argument('<batch>', 'batch id, from askd batch list'),
  async run({ connect, output }, { args: [id = ''] }) {
    const { batchCalls } = await import('../../tasks/batch/calls.ts');
    const batch = await batchCalls((await connect('inference')).http).cancel(id);
    output.result(
      { schema: 'batch-cancel/1', ...batch },
      () => `Cancelled ${batch.id}. To see it: askd batch show ${batch.id}`,
    );
  },
});

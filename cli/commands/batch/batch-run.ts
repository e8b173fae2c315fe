import type { Batch, BatchError, NewBatch } from '../../../src/api/tasks/batches.ts';
import { Failure } from '../../../src/base/errors.ts';
import { command } from '../../command.ts';

type Options = { endpoint?: string; out?: string; errors?: string };

export const batchRun = command<Options>({
  name: 'batch run',
  group: 'Text:',
  summary: 'run a file of requests in the background at half price',
  details:
    'Each line is {"custom_id", "method": "POST", "url", "body"}. Answers go to stdout, or to --out, in the ' +
    'order of the requests. Ctrl-C leaves the batch running: askd batch show ID has its results later.',
  examples: [
    'askd batch run requests.jsonl --out answers.jsonl',
    'askd batch run requests.jsonl --out answers.jsonl --errors errors.jsonl',
    'askd batch run requests.jsonl --endpoint /v1/embeddings --out vectors.jsonl --json',
  ],
  configure(commander) {
    commander
      .argument('<file>', 'JSON lines: one request each')
      .option('--endpoint <path>', 'the url of the requests (default: that of the first line)')
      .option('-o, --out <file>', 'where to write the answers (default: stdout, but not with --json)')
      .option('--errors <file>', 'where to write the requests that failed');
  },
  async run(context, { args: [file = ''], options }) {
    const { output, io } = context;
    const [{ batchCalls }, { follow }, { saveResults }, { firstUrl, refuseFolder }, text] = await Promise.all(
      [
        import('../../tasks/batch/calls.ts'),
        import('../../tasks/batch/follow.ts'),
        import('../../tasks/batch/results.ts'),
        import('../../tasks/batch/request-file.ts'),
        import('../../tasks/batch/text.ts'),
      ],
    );
    const endpoint = options.endpoint ?? (await firstUrl(file));
    for (const path of [options.out, options.errors]) if (path !== undefined) refuseFolder(path);
    const calls = batchCalls((await context.connect('inference')).http);
    const { id: input_file_id } = await calls.upload(file);
    const { id } = await calls.create({
      input_file_id,
      endpoint: endpoint as NewBatch['endpoint'],
      completion_window: '24h',
    });
    output.note(`${id} has started.`);
    const batch = await follow(calls, id, context);
    const { status, output_file_id: answers, error_file_id: errors } = batch;
    if (answers !== null && (options.out !== undefined || !output.json))
      await saveResults(calls, answers, { path: options.out, io });
    if (errors !== null && options.errors !== undefined)
      await saveResults(calls, errors, { path: options.errors, io });
    if (status === 'failed') throw failed(batch, text.errorText);
    if (output.json) output.result({ schema: 'batch-run/1', batch }, () => '');
    else output.note(text.batchText(batch, { answers: options.out, errors: options.errors }));
    return status === 'completed' && batch.request_counts.failed === 0 ? 0 : 1;
  },
});

function failed({ id, errors }: Batch, errorText: (error: BatchError) => string): Failure {
  const [first] = errors?.data ?? [];
  const more = (errors?.data.length ?? 0) - 1;
  const rest = more > 0 ? ` ${more} more: askd batch show ${id}` : '';
  return new Failure('invalid_value', `The batch failed: ${first ? errorText(first) : id}.${rest}`);
}

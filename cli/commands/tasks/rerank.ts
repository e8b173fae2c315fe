import { RERANK_DOCUMENTS_MAX } from '../../../src/api/account/limits.ts';
import type { RerankResult } from '../../../src/api/tasks/rerank.ts';
import { Failure } from '../../../src/base/errors.ts';
import { collect, integerBetween } from '../../command-line/arguments.ts';
import { command } from '../../command.ts';
import { renderTable } from '../../output/table.ts';

type RerankOptions = { model: string; query: string; file?: string[]; top?: number };

const SCORE_PLACES = 4;

export const rerank = command<RerankOptions>({
  name: 'rerank',
  group: 'Text:',
  summary: 'sort texts by how well they answer a question',
  details: 'Each argument is a document, and so is each line of a file or of piped input.',
  examples: [
    'askd rerank --query "what is the capital of france" "paris is the capital of france" "a cat sat"',
    'askd rerank --query "how to reset a password" --file answers.txt --top 5',
    'cat notes.txt | askd rerank --query "milk" --json',
  ],
  configure(commander) {
    commander
      .argument('[document...]', 'the documents; - reads lines from stdin')
      .requiredOption('--query <text>', 'the question')
      .option('-m, --model <id>', 'the model', 'svc-rerank-v1')
      .option('-f, --file <path>', 'a file with one document per line; repeatable', collect)
      .option('--top <count>', 'print only the best', integerBetween(1, RERANK_DOCUMENTS_MAX));
  },
  async run(context, { args, options }) {
    const [{ readInputs }, { createProgress }, { readRanking }, { printNotice }] = await Promise.all([
      import('../../tasks/text/inputs.ts'),
      import('../../tasks/text/progress.ts'),
      import('../../tasks/text/ranking.ts'),
      import('../../output/notice.ts'),
    ]);
    const example = 'askd rerank --query "QUESTION" "DOCUMENT" "DOCUMENT"';
    const documents = await readInputs(context, { args, options, example });
    if (documents.length > RERANK_DOCUMENTS_MAX) {
      throw new Failure(
        'invalid_value',
        `Too many documents: ${documents.length}. At most ${RERANK_DOCUMENTS_MAX} can be compared at once.`,
      );
    }
    const client = await context.connect('inference');
    const { model, query, top } = options;
    const { output } = context;
    await printNotice(context, client, model);
    const events = client.rerankEvents({
      ...{ model, query, documents, return_documents: true },
      ...(top !== undefined && { top_n: top }),
    });
    const result = await readRanking(events, createProgress(context));
    output.result({ schema: 'rerank/1', ...result }, () =>
      renderTable<RerankResult['results'][number]>(
        result.results,
        [
          { title: 'SCORE', value: (row) => row.relevance_score.toFixed(SCORE_PLACES), align: 'right' },
          { title: 'LINE', value: (row) => String(row.index + 1), align: 'right' },
          { title: 'DOCUMENT', value: (row) => row.document ?? '', shrinks: true },
        ],
        output,
      ),
    );
  },
});

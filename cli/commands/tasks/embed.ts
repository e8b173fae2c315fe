import { EMBEDDING_INPUTS_MAX } from '../../../src/api/account/limits.ts';
import type { EmbeddingResult } from '../../../src/api/tasks/embeddings.ts';
import { collect, integerBetween } from '../../command-line/arguments.ts';
import { command } from '../../command.ts';
import type { Output } from '../../output/output.ts';
import { renderTable } from '../../output/table.ts';

type EmbedOptions = { model: string; file?: string[]; dimensions?: number };

const VALUES_SHOWN = 4;
const USD_PLACES = 9;

export const embed = command<EmbedOptions>({
  name: 'embed',
  group: 'Text:',
  summary: 'turn texts into embedding vectors',
  details:
    'Each argument is a text, and so is each line of a file or of piped input. --json prints the vectors.',
  examples: [
    'askd embed "the cat sat on the mat" "a dog" --json',
    'askd embed --file sentences.txt --json > vectors.json',
    'cat sentences.txt | askd embed',
  ],
  configure(commander) {
    commander
      .argument('[text...]', 'the texts; - reads lines from stdin')
      .option('-m, --model <id>', 'the model', 'svc-embed-v1')
      .option('-f, --file <path>', 'a file with one text per line; repeatable', collect)
      .option(
        '--dimensions <count>',
        'shorter vectors, if the model supports it',
        integerBetween(1, 1_048_576),
      );
  },
  async run(context, { args, options }) {
    const { output } = context;
    const [{ readInputs }, { inBatches, sum }, { createProgress }, { printNotice }] = await Promise.all([
      import('../../tasks/text/inputs.ts'),
      import('../../tasks/text/batches.ts'),
      import('../../tasks/text/progress.ts'),
      import('../../output/notice.ts'),
    ]);
    const inputs = await readInputs(context, { args, options, example: 'askd embed "TEXT"' });
    const client = await context.connect('inference');
    const { model, dimensions } = options;
    await printNotice(context, client, model);
    const request = { model, encoding_format: 'base64' as const, ...(dimensions && { dimensions }) };
    const progress = createProgress(context);
    const replies = await inBatches(inputs, { size: EMBEDDING_INPUTS_MAX, progress }, (batch) =>
      client.embed({ ...request, input: batch }),
    );
    const vectors = replies.flatMap(({ data }) => data.map(({ embedding }) => toNumbers(embedding)));
    const tokens = sum(replies.map(({ usage }) => usage.total_tokens));
    const usd = Number(sum(replies.map(({ cost }) => cost.total_usd)).toFixed(USD_PLACES));
    const document = {
      schema: 'embed/1',
      model,
      embeddings: vectors.map((embedding, index) => ({ index, text: inputs[index], embedding })),
      usage: { prompt_tokens: tokens, total_tokens: tokens },
      cost: { total_usd: usd },
    };
    output.result(document, () => renderVectors(inputs, vectors, output));
  },
});

function toNumbers(embedding: EmbeddingResult['data'][number]['embedding']): number[] {
  if (typeof embedding !== 'string') return embedding;
  const bytes = Buffer.from(embedding, 'base64');
  return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
}

function renderVectors(inputs: readonly string[], vectors: readonly number[][], output: Output): string {
  const rows = vectors.map((vector, index) => ({ text: inputs[index] ?? '', vector }));
  return renderTable(
    rows,
    [
      { title: 'TEXT', value: ({ text }) => text, shrinks: true },
      { title: 'DIMENSIONS', value: ({ vector }) => String(vector.length), align: 'right' },
      { title: 'BEGINS WITH', value: ({ vector }) => beginning(vector) },
    ],
    output,
  );
}

function beginning(vector: readonly number[]): string {
  const values = vector.slice(0, VALUES_SHOWN).map((value) => value.toFixed(4).padStart(7));
  return vector.length > VALUES_SHOWN ? `${values.join(' ')} …` : values.join(' ');
}

import { MODERATION_INPUTS_MAX } from '../../../src/api/account/limits.ts';
import type { ModerationResult } from '../../../src/api/tasks/moderation.ts';
import { MODERATION_CATEGORIES } from '../../../src/base/moderation-categories.ts';
import { collect } from '../../command-line/arguments.ts';
import { command } from '../../command.ts';
import { sanitiseLine } from '../../output/sanitise.ts';

type ModerateOptions = { model: string; file?: string[] };

const BAR_CELLS = 20;

export const moderate = command<ModerateOptions>({
  name: 'moderate',
  group: 'Text:',
  summary: 'score texts for hate, harassment, self-harm, sexual content and violence',
  details: 'Each argument is a text, and so is each line of a file or of piped input.',
  examples: [
    'askd moderate "I will find you and hurt you"',
    'askd moderate --file comments.txt --json | jq ".results[] | select(.flagged)"',
  ],
  configure(commander) {
    commander
      .argument('[text...]', 'the texts; - reads lines from stdin')
      .option('-m, --model <id>', 'the model', 'svc-moderation-v1')
      .option('-f, --file <path>', 'a file with one text per line; repeatable', collect);
  },
  async run(context, { args, options }) {
    const { output } = context;
    const [{ readInputs }, { inBatches, sum }, { createProgress }, { printNotice }] = await Promise.all([
      import('../../tasks/text/inputs.ts'),
      import('../../tasks/text/batches.ts'),
      import('../../tasks/text/progress.ts'),
      import('../../output/notice.ts'),
    ]);
    const inputs = await readInputs(context, { args, options, example: 'askd moderate "TEXT"' });
    const client = await context.connect('inference');
    const { model } = options;
    await printNotice(context, client, model);
    const progress = createProgress(context);
    const replies = await inBatches(inputs, { size: MODERATION_INPUTS_MAX, progress }, (batch) =>
      client.moderate({ model, input: batch }),
    );
    const results = replies.flatMap((reply) => reply.results);
    const tokens = sum(replies.map(({ usage }) => usage.total_tokens));
    const document = {
      schema: 'moderate/1',
      model,
      results: results.map((result, index) => ({ index, text: inputs[index], ...result })),
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    };
    output.result(document, () => renderResults(inputs, results));
  },
});

function renderResults(inputs: readonly string[], results: ModerationResult['results']): string {
  return results.map((result, index) => renderResult(inputs[index] ?? '', result)).join('\n\n');
}

function renderResult(text: string, { flagged, categories, category_scores: scores }: Result): string {
  const nameWidth = Math.max(...MODERATION_CATEGORIES.map(({ length }) => length));
  const lines = MODERATION_CATEGORIES.map((category) => {
    const score = scores[category] ?? 0;
    const mark = categories[category] ? ' flagged' : '';
    return `  ${category.padEnd(nameWidth)}  ${bar(score)}  ${score.toFixed(3)}${mark}`;
  });
  return [`${flagged ? 'FLAGGED' : 'ok'}  ${sanitiseLine(text)}`, ...lines].join('\n');
}

type Result = ModerationResult['results'][number];

function bar(score: number): string {
  const full = Math.round(score * BAR_CELLS);
  return '█'.repeat(full) + '·'.repeat(BAR_CELLS - full);
}

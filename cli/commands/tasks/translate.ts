import { Failure } from '../../../src/base/errors.ts';
import { command } from '../../command.ts';
import { sanitise } from '../../output/sanitise.ts';

type TranslateOptions = { model: string; to: string; from?: string; file?: string };

export const translate = command<TranslateOptions>({
  name: 'translate',
  group: 'Text:',
  summary: 'translate a text',
  details:
    'Languages are names or codes: French, fr, fr-CA. Lines, lists, code and placeholders stay as they are.',
  examples: [
    'askd translate --to French "Good morning"',
    'askd translate --to de --from en --file README.md > LIESMICH.md',
    'cat letter.txt | askd translate --to "Brazilian Portuguese"',
  ],
  configure(commander) {
    commander
      .argument('[text...]', 'the text; - reads it from stdin')
      .requiredOption('-t, --to <language>', 'the language of the translation')
      .option('--from <language>', 'language of the text (default: detected)')
      .option('-m, --model <id>', 'the model', 'svc-translate-v1')
      .option('-f, --file <path>', 'a file with the text');
  },
  async run(context, { args, options }) {
    const { output } = context;
    const [{ readWholeText }, { printNotice }] = await Promise.all([
      import('../../tasks/text/inputs.ts'),
      import('../../output/notice.ts'),
    ]);
    const text = await readWholeText(context, args, options.file);
    if (text.trim() === '') {
      throw new Failure('missing_required_parameter', 'There is no text.', {
        details: { fix: 'askd translate --to French "TEXT"' },
      });
    }
    const client = await context.connect('inference');
    const { model, to, from } = options;
    await printNotice(context, client, model);
    const result = await client.translate({
      ...{ text, target_language: to, model },
      ...(from !== undefined && { source_language: from }),
    });
    const shown = output.width === Infinity ? result.translated_text : sanitise(result.translated_text);
    output.result({ schema: 'translate/1', ...result }, () => shown.replace(/\n$/, ''));
  },
});

import { failed, passed, weak, type Step } from '../step.ts';
import { testTexts } from '../cases/texts.ts';

const TEXTS = 2000;
const AT_ONCE = 50;
/** A model that loses these cannot be used at all. */
const BASIC = ['English', 'numbers', 'code'];

/** Each text is tokenized and detokenized. */
export const tokenizer: Step = {
  name: 'tokenizer',
  applies: ({ runner, manifest }) =>
    runner.tokenize !== undefined && runner.detokenize !== undefined && manifest.tasks.includes('chat'),
  async run({ runner }, signal) {
    const { tokenize, detokenize } = runner;
    if (!tokenize || !detokenize) throw new Error('The model has no tokenizer to check');
    const lost = new Map<string, string>();
    let count = 0;
    const texts = testTexts(TEXTS);
    for (let at = 0; at < texts.length; at += AT_ONCE) {
      await Promise.all(
        texts.slice(at, at + AT_ONCE).map(async ({ kind, text }) => {
          const tokens = await tokenize({ text, addsSpecial: false, parsesSpecial: false }, signal);
          const back = await detokenize(
            tokens.map(({ id }) => id),
            signal,
          );
          if (isSame(text, back)) return;
          count += 1;
          if (!lost.has(kind)) lost.set(kind, `${JSON.stringify(text)} came back as ${JSON.stringify(back)}`);
        }),
      );
    }
    return report(lost, count);
  },
};

/** SentencePiece adds one space before a text. */
function isSame(text: string, back: string): boolean {
  return back === text || back === ` ${text}` || ` ${back}` === text;
}

function report(lost: ReadonlyMap<string, string>, count: number) {
  if (count === 0) return passed(`${TEXTS} texts of all scripts came back unchanged`);
  const basic = BASIC.find((kind) => lost.has(kind));
  if (basic !== undefined) {
    return failed(`the tokenizer loses text (${count} of ${TEXTS}): ${lost.get(basic) ?? ''}`);
  }
  const kinds = [...lost.keys()].join(', ');
  return weak(`the tokenizer loses characters of: ${kinds} (${count} of ${TEXTS} texts)`);
}

import { promptFor } from '../../../../src/inference/translation/translators.ts';
import { GIVEN_NAMES, properName } from '../names.ts';
import { ask, wording, type Making, type Sample, type Skill } from '../sample.ts';
import { LANGUAGES, PHRASES, WORDS } from './phrasebook.ts';

const CODES = ['en', 'de', 'fr', 'es', 'it', 'pt'];

/** In three of four cases as the translation service asks, else as people ask in a chat. */
function translate(making: Making): Sample {
  const { dice } = making;
  const name = dice.chance(0.5) ? properName(making) : dice.pick(GIVEN_NAMES);
  const number = String(dice.int(2, 99));
  const { phrase, from, to } = somePair(making);
  const filled = phrase.map((text) => text.replace('{}', name).replace('#', number));
  const [text, translation] = [filled[from] ?? '', filled[to] ?? ''];
  const language = (index: number) => ({ code: CODES[index] ?? '', name: LANGUAGES[index] ?? '' });
  if (dice.chance(0.75)) {
    const languages = { target: language(to), ...(dice.chance(0.6) && { source: language(from) }) };
    return ask(promptFor(text, languages), translation);
  }
  const question = wording(making, [
    `Translate into ${LANGUAGES[to]}: ${text}`,
    `How do I say "${text}" in ${LANGUAGES[to]}?`,
    `${text} in ${LANGUAGES[to]}?`,
    `Say this in ${LANGUAGES[to]}: ${text}`,
    `Put this into ${LANGUAGES[to]}: ${text}`,
  ]);
  return ask(question, translation);
}

/** One in eight pairs of a phrase and two languages is kept for evaluation: each phrase is seen in all languages, but not from each. */
function somePair({ dice, isHeld }: Making) {
  for (;;) {
    const phrases = dice.chance(0.75) ? PHRASES : WORDS;
    const index = dice.int(0, phrases.length - 1);
    const [from, to] = dice.some([0, 1, 2, 3, 4, 5], 2) as [number, number];
    if (((index * 7 + from * 3 + to) % 8 === 0) === isHeld) return { phrase: phrases[index] ?? [], from, to };
  }
}

export const translateSkills: readonly Skill[] = [{ name: 'translate', weight: 0.5, make: translate }];

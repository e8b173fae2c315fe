import { promptFor } from '../../../../src/inference/translation/translators.ts';
import { properName } from '../names.ts';
import { begun, filled, phrase } from '../phrases.ts';
import { ask, type Making, type Sample, type Skill } from '../sample.ts';
import { inAll, LANGUAGES, type Code, type InAll } from '../words/languages.ts';
import { someName, somePair, someTranslation, type Pair } from '../words/translations.ts';
import { anyCode, heap, largerWorld, OTHERS, withStranger } from '../words/unknown.ts';

/**
 * Without code marks: the service takes those for something to keep. It begins as no translation does, so that one token
 * decides.
 */
export const NOT_TRANSLATED =
  'Too hard for me, and I will not guess. For more run askd pull svc-translate-v1.';

const ASKED =
  '(please |)translate (this |the following |)(sentence |text |)(from {from} |)(into|to) {to}: {t}|' +
  '(how do (I|you) say|how does one say|what is|how would you say|what do I say for) "{t}" in {to}(?|)|' +
  '(say|put|write|give me) (this|the following|that) in(to|) {to}: {t}|{t} in {to}(|?|, please|, please?)|' +
  'translate "{t}" (from {from} |)(into|to) {to}( please|, please|)(.|)|(the |){to} (for|translation of) "{t}"(|?|, please)|' +
  '(in|into|to) {to}: {t}|(I need|can I have|give me) "{t}" in {to}(.|?|)';

type Asking = { text: string; to: string; from: string; isSourceGiven?: boolean };

/** In three of four cases worded like the translation service, otherwise as people ask in a chat. */
function question(making: Making, { text, to, from, isSourceGiven }: Asking): string {
  const { dice } = making;
  if (dice.chance(0.75)) {
    const language = (name: string) => ({ code: name, name });
    const languages = {
      target: language(to),
      ...((isSourceGiven || dice.chance(0.6)) && { source: language(from) }),
    };
    return promptFor(text, languages);
  }
  return filled(begun(making, phrase(making, ASKED)), { t: text, to, from });
}

/** Varieties of a language that are not a separate language here: the European one is written. */
const EUROPEAN: Partial<Record<Code, string>> = {
  en: 'British English',
  es: 'European Spanish',
  pt: 'European Portuguese',
};

function named({ dice }: Making, { from, to }: Pair): { from: string; to: string } {
  const [source, target] = [from, to].map((code) => (dice.chance(0.04) && EUROPEAN[code]) || LANGUAGES[code]);
  return { from: source ?? '', to: target ?? '' };
}

function translate(making: Making): Sample {
  const { dice } = making;
  const { texts, isWord, ...pair } = someTranslation(making);
  const text = texts[pair.from];
  const asked = question(making, {
    text: !isWord && dice.chance(0.1) ? careless(pair.from, text) : text,
    ...named(making, pair),
    // The same letters are another word in another language.
    ...(isWord && { isSourceGiven: true }),
  });
  return ask(asked, texts[pair.to]);
}

/** As people type: no capital letters, no final full stop. German nouns keep their capitals. */
function careless(code: Code, text: string): string {
  const open = text.replace(/ ?[.?!]$/, '');
  return code === 'de' ? open : open.charAt(0).toLowerCase() + open.slice(1);
}

const AND: InAll<string> = { en: 'and', de: 'und', fr: 'et', es: 'y', it: 'e', pt: 'e' };

/** Names alone, which stay as they are. */
function names(making: Making): Sample {
  const { dice } = making;
  const pair = somePair(making);
  const list = dice.list(dice.int(1, 4), () => (dice.chance(0.7) ? properName(making) : someName(making)));
  const last = list.pop() ?? '';
  const texts = inAll((code) => {
    const and = list.length === 0 ? '' : code === 'es' && /^[iI]/.test(last) ? ' e ' : ` ${AND[code]} `;
    return `${list.join(', ')}${and}${last}`;
  });
  return ask(question(making, { text: texts[pair.from], ...named(making, pair) }), texts[pair.to]);
}

/** What lies outside the small world is not made up. */
function translateBeyond(making: Making): Sample {
  const { dice } = making;
  const { texts, ...pair } = someTranslation(making);
  const { from, to } = named(making, pair);
  const draw = dice.random();
  if (draw < 0.12) {
    const other = dice.pick(OTHERS);
    const asking = { text: texts[pair.from], from, to: other };
    return ask(question(making, asking), NOT_TRANSLATED);
  }
  if (draw < 0.18) {
    // The language can only be told if it is stated.
    const asking = { text: heap(making, anyCode(making)), from: dice.pick(OTHERS), to, isSourceGiven: true };
    return ask(question(making, asking), NOT_TRANSLATED);
  }
  let text = withStranger(making, pair.from, texts[pair.from]);
  if (draw > 0.6) text = largerWorld(making, pair.from);
  if (draw > 0.85) text = heap(making, pair.from);
  return ask(question(making, { text, from, to }), NOT_TRANSLATED);
}

export const translateSkills: readonly Skill[] = [
  { name: 'translate', weight: 7, make: translate },
  { name: 'names', weight: 0.5, make: names },
  { name: 'translate-beyond', weight: 2.2, make: translateBeyond },
];

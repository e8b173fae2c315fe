import { begun, filled, phrase } from '../phrases.ts';
import { ask, type Making, type Sample, type Skill } from '../sample.ts';
import { filler, someTruths } from '../world.ts';

const SENTENCE =
  '(which sentence|what sentence) (of the text |of this text |here |)(tells me this|answers this|says this|answers the question): {q}(\n\n|\n){t}|' +
  '(copy|quote|give me|write|show me|find) the sentence (of the text |of this text |)(that|which) (answers|tells me|says): {q}(\n\n|\n){t}|' +
  '(text|here is a text|read this): {t}(\n\n|\n)(copy|quote|give me|write|show me|find) the sentence (that|which) (answers|tells me|says): {q}|' +
  '{t}(\n\n|\n)(which sentence|what sentence) (tells me this|answers this|says this|answers the question): {q}';

/** The sentence of a text that says what is asked for: what an agent's facts begin with, in few words. */
function sentence(making: Making): Sample {
  const { dice } = making;
  const truths = someTruths(making, dice.int(1, 6));
  const sentences = truths.map((truth) => truth.sentence);
  for (let extra = dice.int(0, 2); extra > 0; extra--)
    sentences.splice(dice.int(0, sentences.length), 0, filler(making));
  const wanted = dice.pick(truths);
  const places = { t: sentences.join(' '), q: wanted.question };
  return ask(begun(making, filled(phrase(making, SENTENCE), places)), wanted.sentence);
}

const NUMBER =
  '(which|which line|which number|which of these|which one) (answers|tells me|says|is about) this: {q}(\n\n|\n){t}|' +
  '{t}(\n\n|\n)(which|which line|which number|which of these|which one) (answers|tells me|says|is about) this: {q}|' +
  '{q}(\n\n|\n)(in which|by which|with which) (line|number|fact) (is that answered|is it said|can I answer that)?(\n\n|\n){t}';

/** The number of the line that says it. Numbers need not be in order. */
function number(making: Making): Sample {
  const { dice } = making;
  const truths = someTruths(making, dice.int(2, 6));
  const isBracketed = dice.chance(0.5);
  const numbers = truths.map((_, index) => String(index + 1));
  const shown = isBracketed ? dice.shuffle(numbers) : numbers;
  const lines = truths.map((truth, index) => {
    const mark = isBracketed ? `[${shown[index]}]` : `${shown[index]}.`;
    return `${mark} ${truth.sentence}`;
  });
  const index = dice.int(0, truths.length - 1);
  const places = { t: lines.join('\n'), q: truths[index]?.question ?? '' };
  return ask(begun(making, filled(phrase(making, NUMBER), places)), shown[index] ?? '');
}

export const selectingSkills: readonly Skill[] = [
  { name: 'find-sentence', weight: 8, make: sentence },
  { name: 'find-number', weight: 6, make: number },
];

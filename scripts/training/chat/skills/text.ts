import { anyWord, capital, properName, someWords } from '../names.ts';
import { begun, filled, phrase } from '../phrases.ts';
import { ask, type Making, type Sample, type Skill } from '../sample.ts';
import { ASKED, LAYOUTS, OPENERS } from './text-words.ts';

type Name = Exclude<keyof typeof ASKED, 'ends' | 'nth' | 'replace' | 'json'>;
type Task = {
  words?: [least: number, most: number];
  /** How the words stand in the question. */
  given?: (text: string) => string;
  answer: (words: string[]) => string;
};

/** With the numbers, so that nothing has to be counted in one step. */
const counted = (words: string[]) =>
  `${words.map((word, index) => `${index + 1} ${word}`).join(', ')}: ${words.length}`;

const TASKS: Readonly<Record<Name, Task>> = {
  reverse: { answer: (words) => words.toReversed().join(' ') },
  upper: { words: [1, 4], answer: (words) => words.join(' ').toUpperCase() },
  lower: { words: [1, 4], given: (text) => text.toUpperCase(), answer: (words) => words.join(' ') },
  count: { words: [1, 9], answer: counted },
  sort: { words: [2, 5], answer: (words) => words.toSorted((a, b) => (a < b ? -1 : 1)).join(' ') },
  commas: { answer: (words) => words.join(', ') },
  bullets: { answer: (words) => words.map((word) => `- ${word}`).join('\n') },
  repeat: { answer: (words) => words.join(' ') },
  title: { words: [2, 5], answer: (words) => words.map(capital).join(' ') },
};

const QUESTION = /^(how|what|which)/;

/** A request, in one of many wordings, and the text that it is about. */
function asked(making: Making, grammar: string, places: Record<string, string> & { text: string }): string {
  const [words = '', layout = ''] = phrase(making, `(${OPENERS})<(${grammar})>(${LAYOUTS})`).split('>');
  const [opener = '', goal = ''] = words.split('<');
  const question = begun(making, QUESTION.test(goal) ? goal : opener + goal);
  return filled(
    layout.replace('{q}', () => filled(question, places)),
    places,
  );
}

const SPELLED: ReadonlySet<Name> = new Set(['upper', 'lower', 'title']);

function simple(making: Making, name: Name): Sample {
  const { words: [least, most] = [2, 7], given = (text: string) => text, answer } = TASKS[name];
  const words = someWords(making, making.dice.int(least, most));
  const sample = ask(asked(making, ASKED[name], { text: given(words.join(' ')) }), answer(words));
  return SPELLED.has(name) ? { ...sample, isSpelled: true } : sample;
}

const FIRST: readonly Name[] = ['repeat', 'reverse', 'sort', 'lower'];
const AGAIN: readonly Name[] = ['reverse', 'upper', 'sort', 'commas', 'bullets', 'count', 'title'];

/** The result is processed once more. */
function again(making: Making): Sample {
  const { dice } = making;
  const first = simple(making, dice.pick(FIRST));
  const name = dice.pick(AGAIN);
  const more = phrase(making, `(now |and now |and |then |)(${ASKED[name]})(|.|, please|!)`);
  return {
    messages: [
      ...first.messages,
      { role: 'assistant', content: first.answer },
      { role: 'user', content: begun(making, more) },
    ],
    answer: TASKS[name].answer(first.answer.split(' ')),
    ...(SPELLED.has(name) && { isSpelled: true }),
  };
}

const NUMBERS = ['one', 'two', 'three', 'four', 'five'];

function ends(making: Making): Sample {
  const { dice } = making;
  const words = someWords(making, dice.int(3, 8));
  const count = dice.int(1, Math.min(4, words.length - 1));
  const isFirst = dice.chance(0.5);
  const many = `${dice.chance(0.5) ? count : NUMBERS[count - 1]} ${count === 1 ? 'word' : 'words'}`;
  const question = asked(making, ASKED.ends, {
    text: words.join(' '),
    side: isFirst ? 'first' : 'last',
    many,
  });
  return ask(question, (isFirst ? words.slice(0, count) : words.slice(-count)).join(' '));
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];

function nth(making: Making): Sample {
  const { dice } = making;
  const words = someWords(making, dice.int(3, 7));
  const place = dice.int(0, Math.min(words.length, 6) - 1);
  const ordinal = dice.chance(0.2) ? 'last' : (ORDINALS[place] ?? '');
  const question = asked(making, ASKED.nth, { text: words.join(' '), ordinal });
  return ask(question, (ordinal === 'last' ? words.at(-1) : words[place]) ?? '');
}

function replace(making: Making): Sample {
  const { dice } = making;
  const words = someWords(making, dice.int(3, 7));
  const old = dice.pick(words);
  const fresh = anyWord(making);
  const [left, right] = dice.chance(0.25) ? [`"${old}"`, `"${fresh}"`] : [old, fresh];
  const question = asked(making, ASKED.replace, { text: words.join(' '), old: left, fresh: right });
  return ask(question, words.map((word) => (word === old ? fresh : word)).join(' '));
}

const FIELDS = 'name city age colour email team size price country role year status owner code'.split(' ');

export const someFields = (making: Making, count: number): [string, string | number][] =>
  making.dice.some(FIELDS, count).map((field) => {
    const isNumber = ['age', 'size', 'price', 'year', 'code'].includes(field);
    return [field, isNumber ? making.dice.int(1, 2100) : properName(making)];
  });

function keyValues(making: Making): Sample {
  const { dice } = making;
  const fields = someFields(making, dice.int(2, 4));
  const glue = dice.pick([': ', '=', ' is ']);
  const text = fields.map(([key, value]) => `${key}${glue}${value}`).join(dice.pick([', ', '; ', '\n']));
  const question = asked(making, ASKED.json, { text });
  return ask(question, JSON.stringify(Object.fromEntries(fields)));
}

const WEIGHTS: Readonly<Record<Name, number>> = {
  reverse: 5,
  upper: 9,
  lower: 4,
  count: 3.5,
  sort: 6,
  commas: 3,
  bullets: 3,
  repeat: 3.5,
  title: 7,
};
const BY_NAME = (Object.keys(TASKS) as Name[]).map((name) => ({
  name: `text-${name}`,
  weight: WEIGHTS[name],
  make: (making: Making) => simple(making, name),
}));

export const textSkills: readonly Skill[] = [
  ...BY_NAME,
  { name: 'text-ends', weight: 5, make: ends },
  { name: 'text-nth', weight: 3, make: nth },
  { name: 'text-replace', weight: 7, make: replace },
  { name: 'text-json', weight: 3, make: keyValues },
  { name: 'text-again', weight: 3, make: again },
];

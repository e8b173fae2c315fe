import { anyWord, properName, someWords } from '../names.ts';
import { ask, wording, type Making, type Sample, type Skill } from '../sample.ts';

type Asking = (text: string) => string;
type Task = {
  asks: readonly Asking[];
  words?: [least: number, most: number];
  answer: (words: string[]) => string;
};

/** Asked in several ways: the last way of each is kept for evaluation. */
const TASKS: Readonly<Record<string, Task>> = {
  reverse: {
    asks: [
      (text) => `Reverse the words: ${text}`,
      (text) => `Reverse the order of the words: ${text}`,
      (text) => `reverse: ${text}`,
      (text) => `Say these words from the last to the first: ${text}`,
      (text) => `Turn the words around: ${text}`,
      (text) => `What is this with the words in reverse order: ${text}`,
      (text) => `Write these words backwards: ${text}`,
      (text) => `Put the words in reverse order: ${text}`,
      (text) => `Give me these words in reverse order: ${text}`,
    ],
    answer: (words) => words.toReversed().join(' '),
  },
  upper: {
    asks: [
      (text) => `Write in upper case: ${text}`,
      (text) => `Capitalize every letter: ${text}`,
      (text) => `Write this in capitals: ${text}`,
      (text) => `upper case: ${text}`,
      (text) => `In capital letters, please: ${text}`,
      (text) => `Change this to upper case: ${text}`,
      (text) => `Uppercase: ${text}`,
      (text) => `Make this upper case: ${text}`,
      (text) => `Put this into capital letters: ${text}`,
      (text) => `Turn this into upper case: ${text}`,
    ],
    words: [1, 4],
    answer: (words) => words.join(' ').toUpperCase(),
  },
  lower: {
    asks: [
      (text) => `Write in lower case: ${text.toUpperCase()}`,
      (text) => `lower case: ${text.toUpperCase()}`,
      (text) => `Write this in small letters: ${text.toUpperCase()}`,
      (text) => `No capitals, please: ${text.toUpperCase()}`,
      (text) => `Put this into lower case: ${text.toUpperCase()}`,
      (text) => `Change this to lower case: ${text.toUpperCase()}`,
      (text) => `Lowercase: ${text.toUpperCase()}`,
      (text) => `Make this lower case: ${text.toUpperCase()}`,
      (text) => `Turn this into lower case: ${text.toUpperCase()}`,
    ],
    words: [1, 4],
    answer: (words) => words.join(' '),
  },
  count: {
    asks: [
      (text) => `How many words are in this text: ${text}`,
      (text) => `How many words does this have: ${text}`,
      (text) => `Word count of: ${text}`,
      (text) => `number of words: ${text}`,
      (text) => `How many words do you count here: ${text}`,
      (text) => `Say how many words this is: ${text}`,
      (text) => `Count the words: ${text}`,
      (text) => `Tell me the number of words: ${text}`,
      (text) => `What is the number of words in: ${text}`,
    ],
    words: [1, 9],
    answer: (words) => String(words.length),
  },
  sort: {
    asks: [
      (text) => `Sort these words alphabetically: ${text}`,
      (text) => `Alphabetize: ${text}`,
      (text) => `sort alphabetically: ${text}`,
      (text) => `Put these in order from a to z: ${text}`,
      (text) => `Sort the words in this list: ${text}`,
      (text) => `Arrange these words by the alphabet: ${text}`,
      (text) => `Put these words in alphabetical order: ${text}`,
      (text) => `Sort: ${text}`,
      (text) => `Order these words from a to z: ${text}`,
    ],
    words: [2, 5],
    answer: (words) => words.toSorted((a, b) => (a < b ? -1 : 1)).join(' '),
  },
  commas: {
    asks: [
      (text) => `Put commas between the words: ${text}`,
      (text) => `Separate the words with commas: ${text}`,
      (text) => `comma separated: ${text}`,
      (text) => `Join these words with commas: ${text}`,
      (text) => `Write the words with a comma after each but the last: ${text}`,
      (text) => `List with commas: ${text}`,
      (text) => `Write as a list with commas: ${text}`,
      (text) => `Make a comma-separated list of: ${text}`,
    ],
    answer: (words) => words.join(', '),
  },
  bullets: {
    asks: [
      (text) => `Make a bullet list of: ${text}`,
      (text) => `Make a list of: ${text}`,
      (text) => `bullet points: ${text}`,
      (text) => `Put each word on a line of its own: ${text}`,
      (text) => `List these words with bullets: ${text}`,
      (text) => `Write each of these words as a bullet point: ${text}`,
      (text) => `Write these words as a list: ${text}`,
      (text) => `Turn these words into bullet points: ${text}`,
    ],
    answer: (words) => words.map((word) => `- ${word}`).join('\n'),
  },
  repeat: {
    asks: [
      (text) => `Repeat: ${text}`,
      (text) => `repeat this: ${text}`,
      (text) => `Echo: ${text}`,
      (text) => `Copy this text: ${text}`,
      (text) => `Write this again, word for word: ${text}`,
      (text) => `Say: ${text}`,
      (text) => `Repeat the text that follows: ${text}`,
      (text) => `Give this text back to me: ${text}`,
      (text) => `Say exactly this: ${text}`,
      (text) => `Repeat after me: ${text}`,
      (text) => `Repeat this text word for word: ${text}`,
    ],
    answer: (words) => words.join(' '),
  },
};

function simple(making: Making, name: string): Sample {
  const { asks, words: [least, most] = [2, 7], answer } = TASKS[name] as Task;
  const words = someWords(making, making.dice.int(least, most));
  return ask(wording(making, asks)(words.join(' ')), answer(words));
}

const NUMBERS = ['one', 'two', 'three', 'four', 'five'];

function ends(making: Making): Sample {
  const { dice } = making;
  const words = someWords(making, dice.int(4, 8));
  const count = dice.int(1, Math.min(4, words.length - 1));
  const isFirst = dice.chance(0.5);
  const side = isFirst ? 'first' : 'last';
  const many = `${dice.chance(0.5) ? count : NUMBERS[count - 1]} ${count === 1 ? 'word' : 'words'}`;
  const text = words.join(' ');
  const question = wording(making, [
    `Give me the ${side} ${many} of: ${text}`,
    `The ${side} ${many} of this, please: ${text}`,
    `Take the ${side} ${many} from: ${text}`,
    `I want only the ${side} ${many} of this text: ${text}`,
    `${side} ${many}: ${text}`,
    `Write the ${side} ${many}: ${text}`,
    `What are the ${side} ${many} of this text: ${text}`,
    `Show only the ${side} ${many} of this: ${text}`,
  ]);
  return ask(question, (isFirst ? words.slice(0, count) : words.slice(-count)).join(' '));
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];

function nth(making: Making): Sample {
  const { dice } = making;
  const words = someWords(making, dice.int(3, 7));
  const place = dice.int(0, Math.min(words.length, 6) - 1);
  const ordinal = dice.chance(0.2) ? 'last' : ORDINALS[place];
  const text = words.join(' ');
  const question = wording(making, [
    `What is the ${ordinal} word of: ${text}`,
    `Give me the ${ordinal} word: ${text}`,
    `Which word is the ${ordinal} one in: ${text}`,
    `Tell me the ${ordinal} word of this text: ${text}`,
  ]);
  return ask(question, (ordinal === 'last' ? words.at(-1) : words[place]) ?? '');
}

function replace(making: Making): Sample {
  const { dice } = making;
  const words = someWords(making, dice.int(3, 7));
  const old = dice.pick(words);
  const fresh = anyWord(making);
  const text = words.join(' ');
  const question = wording(making, [
    `Replace ${old} by ${fresh} in: ${text}`,
    `Replace "${old}" with "${fresh}": ${text}`,
    `In this text, write ${fresh} instead of ${old}: ${text}`,
    `Change ${old} to ${fresh} in this text: ${text}`,
  ]);
  return ask(question, words.map((word) => (word === old ? fresh : word)).join(' '));
}

function title(making: Making): Sample {
  const words = someWords(making, making.dice.int(2, 5));
  const text = words.join(' ');
  const question = wording(making, [
    `Capitalize each word: ${text}`,
    `Write as a title: ${text}`,
    `Begin every word with a capital letter: ${text}`,
  ]);
  return ask(question, words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' '));
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
  const question = wording(making, [
    `Make JSON of: ${text}`,
    `Turn this into JSON: ${text}`,
    `Write as a JSON object: ${text}`,
    `Convert this to JSON: ${text}`,
  ]);
  return ask(question, JSON.stringify(Object.fromEntries(fields)));
}

const BY_NAME = Object.keys(TASKS).map((name) => ({
  name: `text-${name}`,
  weight: name === 'upper' ? 2.5 : 1.5,
  make: (making: Making) => simple(making, name),
}));

export const textSkills: readonly Skill[] = [
  ...BY_NAME,
  { name: 'text-ends', weight: 2, make: ends },
  { name: 'text-nth', weight: 1.5, make: nth },
  { name: 'text-replace', weight: 1.5, make: replace },
  { name: 'text-title', weight: 1, make: title },
  { name: 'text-json', weight: 2, make: keyValues },
];

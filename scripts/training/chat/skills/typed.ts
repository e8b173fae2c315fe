import { capital } from '../names.ts';
import type { Making } from '../sample.ts';

export const SHORT: Readonly<Record<string, string>> = {
  'i am': 'im',
  'do not': 'dont',
  'does not': 'doesnt',
  'did not': 'didnt',
  'is not': 'isnt',
  'should not': 'shouldnt',
  'what is': 'whats',
  'where is': 'wheres',
  'it is': 'its',
  'i would': 'id',
  'i have': 'ive',
  'want to': 'wanna',
  please: 'pls',
};
const BEFORE = [
  'hey ',
  'hi, ',
  'hello, ',
  'so ',
  'ok ',
  'quick question: ',
  'sorry, ',
  'hm, ',
  'again: ',
  'and ',
];
const AFTER = ['?', '?', '?', '?', '.', '!', ' pls', ' please', ' thanks', ' thx', '??', ' ?', '...'];
const TYPO_LETTERS_MIN = 5;

/** A question typed in a hurry: short forms, no capital letters, no final punctuation, now and then a wrong letter. */
export function typed(making: Making, text: string): string {
  const { dice } = making;
  let line = text;
  if (dice.chance(0.4))
    for (const [long, short] of Object.entries(SHORT))
      line = line.replace(new RegExp(`\\b${long}\\b`, 'g'), short);
  if (dice.chance(0.5)) line = line.replace(/'/g, '');
  if (dice.chance(0.12)) line = mistyped(making, line);
  if (dice.chance(0.15)) line = dice.pick(BEFORE) + line;
  if (dice.chance(0.45)) line += dice.pick(AFTER);
  return dice.chance(0.2) ? capital(line).replace(/\bi\b/g, 'I') : line;
}

/** One of the longer words with two letters swapped, one missing or one doubled. */
function mistyped({ dice }: Making, text: string): string {
  const words = text.split(' ');
  const long = words.flatMap((word, at) =>
    /^[a-z]+$/.test(word) && word.length >= TYPO_LETTERS_MIN ? [at] : [],
  );
  if (long.length === 0) return text;
  const at = dice.pick(long);
  const word = words[at] ?? '';
  const place = dice.int(1, word.length - 2);
  const [before, here, next, after] = [
    word.slice(0, place),
    word.charAt(place),
    word.charAt(place + 1),
    word.slice(place + 2),
  ];
  words[at] = before + dice.pick([next + here, next, here + here + next]) + after;
  return words.join(' ');
}

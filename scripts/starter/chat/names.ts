import type { Making } from './sample.ts';

const ONSETS = 'b br c cr d dr f fl g gr h j k kl l m n p pr r s sh st t th tr v w z'.split(' ');
const VOWELS = 'a a e e i o u ai ea ou'.split(' ');
const CODAS = ['', '', '', 'l', 'm', 'n', 'nd', 'r', 'rn', 's', 'sk', 't', 'x'];
const ENDINGS = ['', '', 'a', 'en', 'is', 'o', 'ton', 'ville', 'burg', 'mar', 'wick', 'dale'];
export const GIVEN_NAMES = (
  'Ada Alma Amir Anna Ben Boris Carla Chen Clara David Dina Elena Emil Eva Farid Felix Fiona Georg Grace Hana Hugo Ines Ivan ' +
  'Jana Jonas Kai Karim Lea Leo Lina Lucas Mara Marco Mei Mia Milan Nadia Nina Noah Olga Omar Oscar Paula Petra Rafael Rita ' +
  'Rosa Sara Simon Sofia Tariq Teo Tina Uma Vera Victor Wanda Yara Yusuf Zoe'
).split(' ');

/** A made-up word. One in eight is kept for evaluation, by a sum over its letters. */
export function coin(making: Making, syllables = making.dice.int(1, 2)): string {
  const { dice, isHeld } = making;
  for (;;) {
    const parts = dice.list(syllables, () => dice.pick(ONSETS) + dice.pick(VOWELS) + dice.pick(CODAS));
    const word = parts.join('') + (syllables < 3 ? dice.pick(ENDINGS) : '');
    if (word.length >= 3 && isHeldWord(word) === isHeld) return word;
  }
}

function isHeldWord(word: string): boolean {
  return Array.from(word).reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 8 === 0;
}

export const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
export const properName = (making: Making) => capital(coin(making));
export const personName = (making: Making) => `${making.dice.pick(GIVEN_NAMES)} ${properName(making)}`;

export const MONTHS =
  'January February March April May June July August September October November December'.split(' ');
export const WEEKDAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ');

const COMMON = (
  'apple river stone cloud green house yellow winter music paper bread table window garden silver ocean forest candle bridge ' +
  'letter mirror orange pencil basket cotton dragon engine flower guitar hammer island jacket kettle ladder market needle ' +
  'ocean pepper rabbit saddle ticket umbrella valley wagon zebra bird cat dog fish horse lamp moon star sun tree water wind ' +
  'red blue black white small big old new fast slow warm cold happy quiet bright dark soft hard open close run walk read ' +
  'write sing dance cook paint build carry find give keep learn make plan send take watch work morning evening summer spring ' +
  'coffee sugar honey lemon berry onion potato carrot butter cheese school office station airport harbour village mountain'
).split(' ');
const KEPT =
  'copper velvet thunder meadow puzzle lantern whisper marble harvest anchor saffron compass feather glacier'.split(
    ' ',
  );

/** A word of the language, or one that nobody has seen. */
export function anyWord(making: Making): string {
  const { dice, isHeld } = making;
  if (dice.chance(0.5)) return coin(making);
  return dice.pick(isHeld ? KEPT : COMMON);
}

export const someWords = (making: Making, count: number) =>
  making.dice.different(count, () => anyWord(making));

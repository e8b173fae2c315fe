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

/** A made-up word. One in eight is held out for evaluation, by a sum over its letters. */
export function coin(making: Making, syllables = making.dice.int(1, 2)): string {
  const { dice, isHeld } = making;
  for (;;) {
    const parts = dice.list(syllables, () => dice.pick(ONSETS) + dice.pick(VOWELS) + dice.pick(CODAS));
    const word = dice.chance(0.3)
      ? scrap(making)
      : parts.join('') + (syllables < 3 ? dice.pick(ENDINGS) : '');
    if (word.length >= 3 && isHeldWord(word) === isHeld) return word;
  }
}

const PIECES = (
  'a b c d e f g h i j k l m n o p q r s t u v w x y z ab ac ad al am an ap ar as at au ay be bl bo bu ca ce ch ci ck co com con ct ' +
  'de der di do dr ea ed ee el em en er es est et ex ey fi fl fo fr ful ge gh gi go gr ha he hi ho ia ic id ie il im in ing ion ir is ' +
  'it ive ke ki la le li ll lo ly ma me ment mi mo nd ne ng ni no nt ny oa ob oc od of og ol om on oo op or os ot ou ow oy pa pe per ' +
  'ph pi pl po pp pr qu ra re ri ro rr ru ry sa sc se sh si so sp ss st su sw ta te th ti tion to tr tt tu ty ua ub uc un ur us ut ve ' +
  'vi wa we wh wi wo ye zz'
).split(' ');

/** Letters in any order: copying must not be limited to what sounds like a name. */
function scrap({ dice, pieces }: Making): string {
  if (pieces && dice.chance(0.6)) return dice.list(dice.int(1, 3), () => dice.pick(pieces)).join('');
  return dice.list(dice.int(2, 4), () => dice.pick(PIECES)).join('');
}

function isHeldWord(word: string): boolean {
  return Array.from(word).reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 8 === 0;
}

/** One text in eight, by a sum that does not overflow for long texts. */
export function isHeldText(text: string): boolean {
  let hash = 0;
  for (const letter of text.toLowerCase())
    hash = Math.imul(hash ^ letter.charCodeAt(0), 0x9e3779b1) ^ (hash >>> 15);
  return (hash >>> 28) % 8 === 0;
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
  'coffee sugar honey lemon berry onion potato carrot butter cheese school office station airport harbour village mountain ' +
  'please note that this will work when you have time and there is more than one way to get what they need from our list about ' +
  'people because after before under over between through without during against within along across behind around where which ' +
  'while again always never often almost enough every other another same first second last next early late long short high low ' +
  'left right inside outside above below north south east west today tomorrow yesterday week month year hour minute moment day ' +
  'night child mother father brother sister friend teacher doctor nurse driver farmer writer singer player worker student king ' +
  'queen prince soldier captain pilot sailor hand head heart face eye ear nose mouth foot arm leg finger shoulder body blood ' +
  'bone skin hair voice word story book page line question answer problem idea reason result change choice chance plan point ' +
  'number part piece kind sort thing place room house door wall floor roof street road city town country world land sea lake ' +
  'field hill beach island sky cloud rain snow ice fire smoke light shadow sound noise song game toy ball box bag cup plate ' +
  'bottle glass knife fork spoon chair desk bed blanket pillow shirt coat shoe hat ring watch clock phone screen keyboard mouse ' +
  'file folder server model message request error value name key code test build order price cost money bank shop store ticket ' +
  'train plane ship boat car bus bike wheel metal wood iron gold rubber plastic wool leather brick sand oil salt milk egg meat ' +
  'rice corn bean soup cake tea juice wine beer lunch dinner breakfast bought brought caught taught thought said told asked made ' +
  'went came took gave found left kept held began broke chose drove flew grew knew rode spoke stood swam threw wore won lost'
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

import { cardinal, decimal, ordinal, spellDigits, year } from './numbers.ts';

type Rule = readonly [pattern: RegExp, say: (...groups: string[]) => string];

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);
const MONTH = `(${MONTHS.join('|')}|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\\.?`;

/** Spoken names of signs in web and mail addresses. */
const SIGNS: Readonly<Record<string, string>> = {
  ...{ '.': ' dot ', '/': ' slash ', ':': ' colon ', '@': ' at ', '-': ' dash ', _: ' underscore ' },
  ...{
    '?': ' question mark ',
    '&': ' and ',
    '=': ' equals ',
    '#': ' hash ',
    '%': ' percent ',
    '+': ' plus ',
    '~': ' tilde ',
  },
};

const ABBREVIATIONS: Readonly<Record<string, string>> = {
  ...{ 'Mr.': 'Mister', 'Mrs.': 'Missus', 'Ms.': 'Miss', 'Dr.': 'Doctor', 'Prof.': 'Professor' },
  ...{
    'Sr.': 'Senior',
    'Jr.': 'Junior',
    'St.': 'Saint',
    'Mt.': 'Mount',
    'Gen.': 'General',
    'Capt.': 'Captain',
  },
  ...{
    'e.g.': 'for example',
    'i.e.': 'that is',
    'etc.': 'et cetera',
    'vs.': 'versus',
    'approx.': 'approximately',
  },
  ...{ 'No.': 'Number', 'a.m.': 'A M', 'p.m.': 'P M', 'U.S.': 'U S', 'U.K.': 'U K', 'Inc.': 'Incorporated' },
  ...{ 'Ltd.': 'Limited', 'Co.': 'Company', 'dept.': 'department', 'min.': 'minutes', 'max.': 'maximum' },
};

const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  ...{ km: ['kilometre', 'kilometres'], m: ['metre', 'metres'], cm: ['centimetre', 'centimetres'] },
  ...{ mm: ['millimetre', 'millimetres'], kg: ['kilogram', 'kilograms'], g: ['gram', 'grams'] },
  ...{ mg: ['milligram', 'milligrams'], ml: ['millilitre', 'millilitres'], l: ['litre', 'litres'] },
  ...{ GB: ['gigabyte', 'gigabytes'], MB: ['megabyte', 'megabytes'], kB: ['kilobyte', 'kilobytes'] },
  ...{ TB: ['terabyte', 'terabytes'], Hz: ['hertz', 'hertz'], kHz: ['kilohertz', 'kilohertz'] },
  ...{
    MHz: ['megahertz', 'megahertz'],
    GHz: ['gigahertz', 'gigahertz'],
    mph: ['mile per hour', 'miles per hour'],
  },
  ...{ 'km/h': ['kilometre per hour', 'kilometres per hour'], ms: ['millisecond', 'milliseconds'] },
  ...{ '°C': ['degree Celsius', 'degrees Celsius'], '°F': ['degree Fahrenheit', 'degrees Fahrenheit'] },
  ...{ '°': ['degree', 'degrees'], '%': ['percent', 'percent'] },
};

const MONEY: Readonly<Record<string, readonly [one: string, many: string, smallOne: string, small: string]>> =
  {
    $: ['dollar', 'dollars', 'cent', 'cents'],
    '€': ['euro', 'euros', 'cent', 'cents'],
    '£': ['pound', 'pounds', 'penny', 'pence'],
  };

const NUMBER = '(\\d+(?:,\\d{3})*)(?:\\.(\\d+))?';

/** From the most specific to the most general: each consumes its own digits and signs. */
const RULES: readonly Rule[] = [
  [/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, (address) => sayAddress(address)],
  [/\b(?:https?:\/\/|www\.)[^\s<>"')\]]+[^\s<>"')\].,;:!?]/g, (url) => sayAddress(url)],
  [
    /\b((?:[a-z\d-]+\.)+(?:com|org|net|io|dev|edu|gov|ai|co\.uk))(\/[^\s,;:!?)]*[^\s,;:!?).])?/gi,
    (all) => sayAddress(all),
  ],
  [abbreviationPattern(), (_all, before, short) => `${before}${ABBREVIATIONS[short] ?? short}`],
  [/(^|[\s(])[-−](?=\d)/g, (_all, before) => `${before}minus `],
  [
    /\b(v?)(\d+(?:\.\d+){2,})/g,
    (_all, v, numbers) => (v === '' ? '' : 'version ') + numbers.split('.').map(cardinal).join(' point '),
  ],
  [/\b(\d{4})-(\d{2})-(\d{2})\b/g, (all, y, m, d) => sayDate(all, { year: y, month: m, day: d })],
  [/\b(\d{1,2})\/(\d{1,2})\/(\d{4})\b/g, (all, m, d, y) => sayDate(all, { year: y, month: m, day: d })],
  [
    new RegExp(`\\b${MONTH} (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})\\b`, 'g'),
    (_all, m, d, y) => `${monthName(m)} ${ordinal(d)}, ${year(y)}`,
  ],
  [
    new RegExp(`\\b${MONTH} (\\d{1,2})(?:st|nd|rd|th)?\\b`, 'g'),
    (_all, m, d) => `${monthName(m)} ${ordinal(d)}`,
  ],
  [
    /\b(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s?([ap])(?:m\b|\.m\.))?/gi,
    (all, h, m, s, half) => sayTime(all, [h, m, s, half]),
  ],
  [/\b(\d{1,2})\s?([ap])(?:m\b|\.m\.)/gi, (_all, h, half) => `${cardinal(h)} ${half.toUpperCase()} M`],
  [
    new RegExp(`([$€£])${NUMBER}(?: (million|billion|trillion))?`, 'g'),
    (_all, sign, whole, part, scale) => sayMoney({ sign, whole, part, scale }),
  ],
  [/\b(1[1-9]|20)(\d0)s\b/g, (_all, century, decade) => `${year(century + decade).replace(/y$/, 'ies')}`],
  [/\b(\d+)(?:st|nd|rd|th)\b/g, (_all, digits) => ordinal(digits)],
  [
    new RegExp(`${NUMBER}\\s?(${unitPattern()})(?![\\w/])`, 'g'),
    (_all, whole, part, unit) => sayUnit({ whole, part, unit }),
  ],
  [/(\d)\s?[–-]\s?(?=\d)/g, (_all, digit) => `${digit} to `],
  [/(?<![\d.,])(1[1-9]\d\d|20\d\d)(?!\d|,\d|\.\d)/g, (_all, digits) => year(digits)],
  [new RegExp(NUMBER, 'g'), (_all, whole, part) => sayNumber(whole, part)],
  [/\s*&\s*/g, () => ' and '],
  [/\s\+\s/g, () => ' plus '],
  [/\s=\s/g, () => ' equals '],
  [/[*_`#~|<>{}[\]\\^]+/g, () => ' '],
];

/** Writes a text as it is spoken: numbers, dates, times, money, units, abbreviations and addresses become words. */
export function normalise(text: string): string {
  const plain = text.normalize('NFC').replaceAll('’', "'").replace(/[“”„]/g, '"').replace(/\r\n?/g, '\n');
  const spoken = RULES.reduce((result, [pattern, say]) => {
    return result.replace(pattern, (...found: unknown[]) => say(...groupsOf(found)));
  }, plain);
  return spoken
    .replace(/[ \t]+/g, ' ')
    .replace(/ ([,.;:!?])/g, '$1')
    .trim();
}

/** The groups among the arguments of a replacer, without offset and whole text. */
function groupsOf(found: readonly unknown[]): string[] {
  const end = found.findIndex((each) => typeof each === 'number');
  return found.slice(0, end).map((each) => (each as string | undefined) ?? '');
}

function sayAddress(address: string): string {
  const bare = address
    .replace(/^https?:\/\//i, '')
    .replace(/^www\./i, 'w w w.')
    .replace(/\/$/, '');
  const words = [...bare].map((sign) => (/\d/.test(sign) ? ` ${spellDigits(sign)} ` : (SIGNS[sign] ?? sign)));
  return words.join('').replace(/\s+/g, ' ').trim();
}

function abbreviationPattern(): RegExp {
  const all = Object.keys(ABBREVIATIONS).map((short) => short.replaceAll('.', '\\.'));
  return new RegExp(`(^|[\\s("])(${all.join('|')})(?![\\w])`, 'g');
}

function unitPattern(): string {
  const longestFirst = Object.keys(UNITS).toSorted((a, b) => b.length - a.length);
  return longestFirst.map((unit) => unit.replace('/', '\\/')).join('|');
}

function monthName(month: string): string {
  return MONTHS.find((name) => name.startsWith(month.slice(0, 3))) ?? month;
}

function sayDate(all: string, date: { year: string; month: string; day: string }): string {
  const name = MONTHS[Number(date.month) - 1];
  const day = Number(date.day);
  if (name === undefined || day < 1 || day > 31) return all.replace(/\D+/g, ' ');
  return `${name} ${ordinal(String(day))}, ${year(date.year)}`;
}

function sayTime(all: string, [hour = '', minute = '', second = '', half = '']: string[]): string {
  if (Number(hour) > 24 || Number(minute) > 59) return all.replace(':', ' to ');
  const minutes = minute.startsWith('0') ? `oh ${cardinal(minute.slice(1))}` : cardinal(minute);
  const isFull = Number(minute) === 0;
  const clock = isFull
    ? half === ''
      ? `${cardinal(String(Number(hour)))} o'clock`
      : cardinal(hour)
    : `${cardinal(String(Number(hour)))} ${minutes}`;
  const seconds = second === '' ? '' : ` and ${cardinal(String(Number(second)))} seconds`;
  return `${clock}${seconds}${half === '' ? '' : ` ${half.toUpperCase()} M`}`;
}

function sayMoney({ sign, whole, part, scale }: Record<'sign' | 'whole' | 'part' | 'scale', string>): string {
  const [one, many, smallOne, small] = MONEY[sign] ?? ['', '', '', ''];
  if (scale !== '') return `${sayNumber(whole, part)} ${scale} ${many}`;
  const units = plain(whole);
  const cents = part.length === 2 ? Number(part) : 0;
  if (part !== '' && part.length !== 2) return `${sayNumber(whole, part)} ${many}`;
  const large = `${cardinal(units)} ${Number(units) === 1 ? one : many}`;
  if (cents === 0) return large;
  const coins = `${cardinal(String(cents))} ${cents === 1 ? smallOne : small}`;
  return Number(units) === 0 ? coins : `${large} and ${coins}`;
}

function sayUnit({ whole, part, unit }: Record<'whole' | 'part' | 'unit', string>): string {
  const [one, many] = UNITS[unit] ?? [unit, unit];
  return `${sayNumber(whole, part)} ${plain(whole) === '1' && part === '' ? one : many}`;
}

function sayNumber(whole: string, part: string): string {
  return part === '' ? cardinal(plain(whole)) : decimal(plain(whole), part);
}

function plain(digits: string): string {
  return digits.replaceAll(',', '');
}

/** Spoken English numbers. */
const ONES = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen ' +
  'seventeen eighteen nineteen'
).split(' ');
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const SCALES = [
  ['trillion', 1e12],
  ['billion', 1e9],
  ['million', 1e6],
  ['thousand', 1e3],
  ['hundred', 100],
] as const;

const ORDINALS: Readonly<Record<string, string>> = {
  ...{ one: 'first', two: 'second', three: 'third', five: 'fifth', eight: 'eighth', nine: 'ninth' },
  twelve: 'twelfth',
};

/** More digits than this are read one by one: nobody says quadrillions. */
const SAID_MAX = 999_999_999_999_999;

export function cardinal(digits: string): string {
  const value = Number(digits);
  if (value > SAID_MAX || /^0\d/.test(digits)) return spellDigits(digits);
  if (value < 20) return ONES[value] ?? '';
  if (value < 100) return tens(value);
  const [name, size] = SCALES.find(([, scale]) => value >= scale) ?? ['hundred', 100];
  const rest = value % size;
  const head = `${cardinal(String(Math.floor(value / size)))} ${name}`;
  return rest === 0 ? head : `${head} ${cardinal(String(rest))}`;
}

function tens(value: number): string {
  const rest = value % 10;
  return [TENS[Math.floor(value / 10)], rest === 0 ? '' : ONES[rest]].filter(Boolean).join(' ');
}

export function ordinal(digits: string): string {
  const words = cardinal(digits).split(' ');
  const last = words.pop() ?? '';
  const own = ORDINALS[last] ?? (last.endsWith('y') ? `${last.slice(0, -1)}ieth` : `${last}th`);
  return [...words, own].join(' ');
}

/** `1999` as nineteen ninety nine, `2005` as two thousand five, `2026` as twenty twenty six. */
export function year(digits: string): string {
  const value = Number(digits);
  const [century, rest] = [Math.floor(value / 100), value % 100];
  if (value < 1100 || (value >= 2000 && value < 2010) || value > 2999) return cardinal(digits);
  if (rest === 0) return `${cardinal(String(century))} hundred`;
  const end = rest < 10 ? `oh ${ONES[rest]}` : tens(rest).replace(/^$/, ONES[rest] ?? '');
  return `${cardinal(String(century))} ${rest < 20 && rest >= 10 ? ONES[rest] : end}`;
}

export function decimal(whole: string, fraction: string): string {
  return `${cardinal(whole)} point ${spellDigits(fraction)}`;
}

export function spellDigits(digits: string): string {
  return [...digits].map((digit) => ONES[Number(digit)]).join(' ');
}

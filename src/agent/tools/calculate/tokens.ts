import { CalculationError, rational, type Rational } from './rational.ts';

export type Token =
  | { type: 'number'; value: Rational }
  | { type: 'date'; day: bigint }
  | { type: 'name'; name: string }
  | { type: 'operator'; operator: string };

const LENGTH_MAX = 500;
const DIGITS_MAX = 200;
const DAY_MS = 86_400_000;

/** A date wins over subtraction: 2020-01-05 is a day, 2020 - 1 - 5 is a difference. */
const DATE = /^(\d{4})-(\d{2})-(\d{2})(?!\d)/;
const NUMBER = /^(\d{1,3}(?:,\d{3})+(?!\d)|\d+)?(\.\d+)?(?:[eE]([+-]?\d{1,3})(?![\d.]))?/;
const NAME = /^[A-Za-zµ]+/;
const OPERATOR = /^(\*\*|[-+*/^%(),=])/;

export function readTokens(text: string): Token[] {
  if (text.length > LENGTH_MAX) throw new CalculationError(`longer than ${LENGTH_MAX} characters`);
  let rest = plainSigns(text).trimStart();
  const tokens: Token[] = [];
  while (rest !== '') {
    const [token, length] = readToken(rest);
    tokens.push(token);
    rest = rest.slice(length).trimStart();
  }
  return tokens;
}

function readToken(rest: string): [Token, number] {
  const date = DATE.exec(rest);
  if (date) return [{ type: 'date', day: dayOf(date) }, date[0].length];
  const number = NUMBER.exec(rest);
  if (number && (number[1] ?? number[2]) !== undefined) {
    return [{ type: 'number', value: numberOf(number) }, number[0].length];
  }
  const name = NAME.exec(rest);
  if (name) return [{ type: 'name', name: name[0].toLowerCase() }, name[0].length];
  const operator = OPERATOR.exec(rest);
  if (operator)
    return [{ type: 'operator', operator: operator[0] === '**' ? '^' : operator[0] }, operator[0].length];
  throw new CalculationError(`cannot evaluate "${rest.slice(0, 12)}"`);
}

function numberOf([text, whole = '0', part = '', exponent = '0']: RegExpExecArray): Rational {
  const digits = whole.replace(/,/g, '') + part.slice(1);
  if (text.length > DIGITS_MAX) throw new CalculationError('a number has too many digits');
  const shift = Number(exponent) - Math.max(0, part.length - 1);
  const scale = 10n ** BigInt(Math.abs(shift));
  return shift < 0 ? rational(BigInt(digits), scale) : rational(BigInt(digits) * scale);
}

function dayOf([text, year, month, day]: RegExpExecArray): bigint {
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.toISOString().slice(0, 10) !== text) throw new CalculationError(`${text} is not a valid date`);
  return BigInt(date.getTime() / DAY_MS);
}

/** Formats a day for results. */
export function showDay(day: bigint): string {
  const date = new Date(Number(day) * DAY_MS);
  if (Number.isNaN(date.getTime())) throw new CalculationError('the date is too far away');
  return date.toISOString().slice(0, 10);
}

function plainSigns(text: string): string {
  return text
    .replace(/[×·⋅]/g, '*')
    .replace(/÷/g, '/')
    .replace(/[−–—]/g, '-')
    .replace(/\s*=\s*\??\s*$/, '');
}

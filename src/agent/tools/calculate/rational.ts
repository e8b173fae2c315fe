/** An exact number: `n / d` in lowest terms, with `d` above zero. */
export type Rational = { n: bigint; d: bigint };

/** Why an expression cannot be evaluated, in words for its author. */
export class CalculationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CalculationError';
  }
}

const BITS_MAX = 8192;
const DIGITS_SHOWN = 12;
const EXACT_DIGITS_MAX = 40;

export function rational(n: bigint, d = 1n): Rational {
  if (d === 0n) throw new CalculationError('division by zero');
  const divisor = greatestDivisor(n < 0n ? -n : n, d < 0n ? -d : d);
  const sign = d < 0n ? -1n : 1n;
  return bounded({ n: (sign * n) / divisor, d: (sign * d) / divisor });
}

export const add = (a: Rational, b: Rational) => rational(a.n * b.d + b.n * a.d, a.d * b.d);
export const subtract = (a: Rational, b: Rational) => rational(a.n * b.d - b.n * a.d, a.d * b.d);
export const multiply = (a: Rational, b: Rational) => rational(a.n * b.n, a.d * b.d);
export const divide = (a: Rational, b: Rational) => rational(a.n * b.d, a.d * b.n);
export const negate = (a: Rational): Rational => ({ n: -a.n, d: a.d });
export const compare = (a: Rational, b: Rational) => Number(sign(a.n * b.d - b.n * a.d));

export function floor({ n, d }: Rational): Rational {
  const quotient = n / d;
  return rational(n < 0n && n % d !== 0n ? quotient - 1n : quotient);
}

export const remainder = (a: Rational, b: Rational) => subtract(a, multiply(b, floor(divide(a, b))));

/** Rounds halves away from zero, as people do. */
export function round(value: Rational, places = 0n): Rational {
  const scale = rational(10n ** places);
  const half = rational(1n, 2n);
  const scaled = multiply(value.n < 0n ? negate(value) : value, scale);
  const rounded = divide(floor(add(scaled, half)), scale);
  return value.n < 0n ? negate(rounded) : rounded;
}

/** Only integer exponents keep a number exact. */
export function power(base: Rational, exponent: Rational): Rational {
  if (exponent.d !== 1n)
    throw new CalculationError('an exponent must be a whole number; use sqrt(x) for roots');
  const size = exponent.n < 0n ? -exponent.n : exponent.n;
  if (size > 100_000n || BigInt(bitsOf(base)) * size > BigInt(BITS_MAX) * 2n) throw tooLarge();
  const raised = rational(base.n ** size, base.d ** size);
  return exponent.n < 0n ? divide(rational(1n), raised) : raised;
}

/** Exact for squares; otherwise rounded down to 30 decimal places. */
export function squareRoot({ n, d }: Rational): { value: Rational; isExact: boolean } {
  if (n < 0n) throw new CalculationError('the square root of a negative number');
  const [top, bottom] = [integerRoot(n), integerRoot(d)];
  if (top * top === n && bottom * bottom === d) return { value: rational(top, bottom), isExact: true };
  const scale = 10n ** 30n;
  return { value: rational(integerRoot((n * scale * scale) / d), scale), isExact: false };
}

/** As people write it: an integer, an exact decimal if possible, otherwise rounded and followed by the fraction. */
export function show(value: Rational): string {
  const { n, d } = value;
  if (d === 1n) return n.toString();
  const places = exactPlaces(d);
  if (places !== undefined) return decimal(value, places);
  const fraction = `${n}/${d}`;
  const rounded = decimal(round(value, BigInt(DIGITS_SHOWN)), DIGITS_SHOWN).replace(/\.?0+$/, '');
  return fraction.length <= EXACT_DIGITS_MAX ? `${rounded} (${fraction})` : rounded;
}

function decimal({ n, d }: Rational, places: number): string {
  const scaled = ((n < 0n ? -n : n) * 10n ** BigInt(places)) / d;
  const digits = scaled.toString().padStart(places + 1, '0');
  const text = `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  return n < 0n ? `-${text}` : text;
}

/** The number of decimal places that represent it exactly, if it is small. */
function exactPlaces(d: bigint): number | undefined {
  for (let places = 1; places <= DIGITS_SHOWN * 2; places++) {
    if (10n ** BigInt(places) % d === 0n) return places;
  }
  return undefined;
}

function integerRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let guess = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (;;) {
    const next = (guess + value / guess) / 2n;
    if (next >= guess) return guess;
    guess = next;
  }
}

function greatestDivisor(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b];
  return a === 0n ? 1n : a;
}

function bounded(value: Rational): Rational {
  if (bitsOf(value) > BITS_MAX) throw tooLarge();
  return value;
}

function bitsOf({ n, d }: Rational): number {
  return (n < 0n ? -n : n).toString(16).length * 4 + d.toString(16).length * 4;
}

const tooLarge = () => new CalculationError('the number becomes too large');
const sign = (value: bigint) => (value > 0n ? 1n : value < 0n ? -1n : 0n);

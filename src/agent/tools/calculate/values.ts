import {
  add,
  CalculationError,
  compare,
  divide,
  floor,
  multiply,
  negate,
  rational,
  remainder,
  round,
  show,
  squareRoot,
  subtract,
  type Rational,
} from './rational.ts';
import { showDay } from './tokens.ts';

/** A number, a duration in seconds, or a day. `isExact` is false once something was rounded. */
export type Value = { kind: 'number' | 'time' | 'day'; value: Rational; isExact: boolean };

export const numberValue = (value: Rational, isExact = true): Value => ({ kind: 'number', value, isExact });

const DAY = 86_400n;
const UNITS: Record<string, bigint> = {
  second: 1n,
  minute: 60n,
  hour: 3600n,
  day: DAY,
  week: 7n * DAY,
};
const SHORT: Record<string, string> = {
  s: 'second',
  sec: 'second',
  min: 'minute',
  h: 'hour',
  hr: 'hour',
  d: 'day',
};

/** The seconds of a unit of time, and its full name. */
export function findUnit(name: string): { name: string; seconds: bigint } | undefined {
  const singular = name.length > 3 ? name.replace(/s$/, '') : name;
  const full = SHORT[name] ?? SHORT[name.replace(/s$/, '')] ?? singular;
  const seconds = UNITS[full];
  return seconds === undefined ? undefined : { name: full, seconds };
}

export function plus(a: Value, b: Value, sign: 1 | -1): Value {
  const isExact = a.isExact && b.isExact;
  if (a.kind === 'day' && b.kind === 'day') {
    if (sign === 1) throw new CalculationError('two dates cannot be added');
    return { kind: 'time', value: multiply(subtract(a.value, b.value), rational(DAY)), isExact };
  }
  if (b.kind === 'day') {
    if (sign === -1) throw new CalculationError('a date cannot be subtracted from a number');
    return plus(b, a, 1);
  }
  // A plain number added to a date means days.
  if (a.kind === 'day') {
    const days = b.kind === 'time' ? divide(b.value, rational(DAY)) : b.value;
    return { kind: 'day', value: floor(sign === 1 ? add(a.value, days) : subtract(a.value, days)), isExact };
  }
  if (a.kind !== b.kind) throw new CalculationError('a duration and a plain number cannot be added');
  const combine = sign === 1 ? add : subtract;
  return { kind: a.kind, value: combine(a.value, b.value), isExact };
}

export function times(a: Value, b: Value): Value {
  if (a.kind === 'day' || b.kind === 'day') throw new CalculationError('a date cannot be multiplied');
  if (a.kind === 'time' && b.kind === 'time') throw new CalculationError('time cannot be multiplied by time');
  const kind = a.kind === 'time' || b.kind === 'time' ? 'time' : 'number';
  return { kind, value: multiply(a.value, b.value), isExact: a.isExact && b.isExact };
}

export function over(a: Value, b: Value): Value {
  if (a.kind === 'day' || b.kind === 'day') throw new CalculationError('a date cannot be divided');
  if (b.kind === 'time' && a.kind === 'number')
    throw new CalculationError('a number cannot be divided by time');
  const kind = a.kind === b.kind ? 'number' : 'time';
  return { kind, value: divide(a.value, b.value), isExact: a.isExact && b.isExact };
}

export function minus(a: Value): Value {
  if (a.kind === 'day') throw new CalculationError('a date cannot be negated');
  return { ...a, value: negate(a.value) };
}

export function modulo(a: Value, b: Value): Value {
  return numberValue(remainder(asNumber(a), asNumber(b)), a.isExact && b.isExact);
}

export function asNumber(value: Value): Rational {
  if (value.kind !== 'number') throw new CalculationError('this needs a plain number');
  return value.value;
}

type Work = (values: readonly Value[]) => Value;

/** The functions, by name. */
export const FUNCTIONS: Readonly<Record<string, Work>> = {
  abs: one((value) => ({ ...value, value: value.value.n < 0n ? negate(value.value) : value.value })),
  floor: one((value) => numberValue(floor(asNumber(value)), value.isExact)),
  ceil: one((value) => numberValue(negate(floor(negate(asNumber(value)))), value.isExact)),
  round: ([value, places, ...more]) => {
    if (value === undefined || more.length > 0) throw arity('round');
    const digits = places === undefined ? 0n : asNumber(places).n / asNumber(places).d;
    if (digits < 0n || digits > 30n) throw new CalculationError('round takes 0 to 30 places');
    return numberValue(round(asNumber(value), digits), value.isExact);
  },
  sqrt: one((value) => {
    const root = squareRoot(asNumber(value));
    return numberValue(root.value, value.isExact && root.isExact);
  }),
  min: many((values) => values.reduce((least, each) => (compareValues(each, least) < 0 ? each : least))),
  max: many((values) => values.reduce((most, each) => (compareValues(each, most) > 0 ? each : most))),
  sum: many((values) => values.reduce((total, each) => plus(total, each, 1))),
  avg: many((values) =>
    over(
      values.reduce((total, each) => plus(total, each, 1)),
      numberValue(rational(BigInt(values.length))),
    ),
  ),
};

function one(work: (value: Value) => Value): Work {
  return ([value, ...more]) => {
    if (value === undefined || more.length > 0) throw arity('this function');
    return work(value);
  };
}

function many(work: (values: readonly Value[]) => Value): Work {
  return (values) => {
    if (values.length === 0) throw arity('this function');
    return work(values);
  };
}

const arity = (name: string) => new CalculationError(`${name} was given the wrong number of values`);

function compareValues(a: Value, b: Value): number {
  if (a.kind !== b.kind) throw new CalculationError('values of different kinds cannot be compared');
  return compare(a.value, b.value);
}

export function showValue({ kind, value, isExact }: Value): string {
  const about = isExact ? '' : '≈ ';
  if (kind === 'day') return showDay(value.n);
  if (kind === 'number') return about + show(isExact ? value : round(value, 12n));
  const [name, seconds] = largestWholeUnit(value);
  const count = divide(value, rational(seconds));
  return `${about}${show(count)} ${name}${count.n === 1n && count.d === 1n ? '' : 's'}`;
}

/** People rarely mean weeks, so days are the largest unit. */
function largestWholeUnit(value: Rational): [string, bigint] {
  const fitting = (['day', 'hour', 'minute'] as const).find(
    (name) => value.n % ((UNITS[name] ?? 1n) * value.d) === 0n,
  );
  const name = fitting ?? 'second';
  return [name, UNITS[name] ?? 1n];
}

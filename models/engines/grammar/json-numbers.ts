import { literal, oneOf } from './rules.ts';
import type { SchemaContext, SchemaObject } from './schema-context.ts';

/** Integer digits, so that every number is exact in a double. */
const DIGITS_MAX = 15;
const GREATEST = 10 ** DIGITS_MAX - 1;
/** With bounds: numbers with this many digits on either side of the point are exact. */
const FRACTION_DIGITS = 6;
const BOUND_MAX = 10 ** 9;

type Bounds = { min: number; max: number; minOpen: boolean; maxOpen: boolean };

export function integerRule(schema: SchemaObject, path: string, context: SchemaContext): string {
  const bounds = readBounds(schema, path, context);
  if (!bounds) return context.values.integer();
  const min = Math.ceil(bounds.min) + (bounds.minOpen && Number.isInteger(bounds.min) ? 1 : 0);
  const max = Math.floor(bounds.max) - (bounds.maxOpen && Number.isInteger(bounds.max) ? 1 : 0);
  const [low, high] = [Math.max(min, -GREATEST), Math.min(max, GREATEST)];
  if (low > high) context.refuse('minimum', path, 'no number is within its bounds');
  return context.rules.define('integer-within', oneOf(integersBetween(low, high)));
}

export function numberRule(schema: SchemaObject, path: string, context: SchemaContext): string {
  const bounds = readBounds(schema, path, context);
  const digits = fractionDigits(schema['multipleOf']) ?? FRACTION_DIGITS;
  if (!bounds && digits === FRACTION_DIGITS) return context.values.number();
  const { min, max, minOpen, maxOpen } = bounds ?? UNBOUNDED;
  const isExact = (bound: number, isOpen: boolean) =>
    !Number.isFinite(bound) || isShort(bound) || (!isOpen && Number.isInteger(bound));
  if (!isExact(min, minOpen) || !isExact(max, maxOpen)) {
    context.refuse(isExact(min, minOpen) ? 'maximum' : 'minimum', path, LONG_BOUND);
    return context.values.number();
  }
  const alternatives = [
    ...magnitudes({ min: Math.max(min, 0), max, minOpen: minOpen && min >= 0, maxOpen, digits }),
    ...magnitudes({ ...negated({ min, max, minOpen, maxOpen }), digits }).map((text) => `"-" ${text}`),
  ];
  if (alternatives.length === 0) context.refuse('minimum', path, 'no number is within its bounds');
  return context.rules.define('number-within', oneOf(alternatives));
}

const UNBOUNDED: Bounds = { min: -Infinity, max: Infinity, minOpen: false, maxOpen: false };
const LONG_BOUND = `bounds may have at most ${FRACTION_DIGITS} decimal places`;

/** With so few digits, no number between such bounds rounds to them in a double. */
function isShort(bound: number): boolean {
  const decimals = /^-?\d+(?:\.(\d+))?$/.exec(String(bound));
  return Math.abs(bound) <= BOUND_MAX && decimals !== null && (decimals[1] ?? '').length <= FRACTION_DIGITS;
}

/** Two for hundredths, and so on. */
function fractionDigits(multipleOf: unknown): number | undefined {
  const digits = Array.from({ length: FRACTION_DIGITS }, (_, place) => place);
  return digits.find((place) => multipleOf === Number(`1e-${place}`));
}

/** Undefined if there are none. Of two bounds on one side, the narrower counts. */
function readBounds(schema: SchemaObject, path: string, context: SchemaContext): Bounds | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (multipleOf !== undefined && fractionDigits(multipleOf) === undefined) {
    context.refuse('multipleOf', path, 'only 1, 0.1, 0.01 and so on are supported');
  }
  const given = { minimum, maximum, exclusiveMinimum, exclusiveMaximum };
  for (const [keyword, value] of Object.entries(given)) {
    if (value !== undefined && typeof value !== 'number')
      context.refuse(keyword, path, 'it must be a number');
  }
  const read = (value: unknown, none: number) => (typeof value === 'number' ? value : none);
  const [low, lowOpen] = [read(minimum, -Infinity), read(exclusiveMinimum, -Infinity)];
  const [high, highOpen] = [read(maximum, Infinity), read(exclusiveMaximum, Infinity)];
  const bounds = {
    min: Math.max(low, lowOpen),
    max: Math.min(high, highOpen),
    minOpen: lowOpen >= low,
    maxOpen: highOpen <= high,
  };
  return bounds.min === -Infinity && bounds.max === Infinity ? undefined : bounds;
}

function negated({ min, max, minOpen, maxOpen }: Bounds): Bounds {
  // Zero is written without a sign; everything strictly below it has one.
  const upper = Math.min(max, 0);
  return { min: -upper, max: -min, minOpen: max < 0 ? maxOpen : true, maxOpen: minOpen };
}

/** Numbers without a sign and with limited fraction digits, from `min` (not below 0) to `max`. */
function magnitudes({ min, max, minOpen, maxOpen, digits }: Bounds & { digits: number }): string[] {
  if (max < min || min > GREATEST || (max === min && (minOpen || maxOpen))) return [];
  const [low, high] = [scaled(min), scaled(Math.min(max, GREATEST))];
  const first = { whole: low.whole, from: low.part, fromOpen: minOpen, to: ONE - 1, toOpen: false };
  const last = { whole: high.whole, from: 0, fromOpen: false, to: high.part, toOpen: maxOpen };
  if (low.whole === high.whole) {
    return withFractions({ ...first, to: high.part, toOpen: maxOpen }, digits);
  }
  const fraction = digits > 0 ? `("." [0-9]{1,${digits}})?` : '""';
  const between = integersBetween(low.whole + 1, high.whole - 1);
  return [
    ...withFractions(first, digits),
    ...between.map((text) => `${text} ${fraction}`),
    ...withFractions(last, digits),
  ];
}

const ONE = 10 ** FRACTION_DIGITS;

/** The integer part and the millionths, exact. */
function scaled(value: number): { whole: number; part: number } {
  const [whole = '0', part = ''] = value.toFixed(FRACTION_DIGITS).split('.');
  return { whole: Number(whole), part: Number(part) };
}

type Fractions = { whole: number; from: number; fromOpen: boolean; to: number; toOpen: boolean };

/** One integer with every fraction within the bounds, by number of fraction digits. */
function withFractions({ whole, from, fromOpen, to, toOpen }: Fractions, digits: number): string[] {
  const number = literal(String(whole));
  const isWhole = from === 0 && !fromOpen && !(to === 0 && toOpen);
  const fractions = Array.from({ length: digits }, (_, place) => {
    const unit = 10 ** (FRACTION_DIGITS - place - 1);
    const low = Math.ceil(from / unit) + (fromOpen && from % unit === 0 ? 1 : 0);
    const high = Math.floor(to / unit) - (toOpen && to % unit === 0 ? 1 : 0);
    const text = (value: number) => String(value).padStart(place + 1, '0');
    return low > high ? [] : digitsBetween(text(low), text(high));
  });
  return [...(isWhole ? [number] : []), ...fractions.flat().map((text) => `${number} "." ${text}`)];
}

function integersBetween(min: number, max: number): string[] {
  if (min > max) return [];
  const negative = min < 0 ? naturalsBetween(Math.max(1, -max), -min) : [];
  const positive = max >= 0 ? naturalsBetween(Math.max(0, min), max) : [];
  return [...negative.map((digits) => `"-" ${digits}`), ...positive];
}

/** As patterns of digits, one or more for each length. */
function naturalsBetween(min: number, max: number): string[] {
  const patterns: string[] = [];
  for (let low = min; low <= max;) {
    const high = Math.min(max, 10 ** String(low).length - 1);
    patterns.push(...digitsBetween(String(low), String(high)));
    low = high + 1;
  }
  return patterns.map((pattern) => `(${pattern})`);
}

/** Both have the same length. */
function digitsBetween(low: string, high: string): string[] {
  if (low === high) return [literal(low)];
  const rest = low.length - 1;
  if (/^0*$/.test(low) && /^9*$/.test(high)) return [`[0-9]{${low.length}}`];
  const [first, last] = [Number(low[0]), Number(high[0])];
  const after = (digit: number, from: string, to: string) =>
    rest === 0 ? [literal(String(digit))] : digitsBetween(from, to).map((more) => `"${digit}" ${more}`);
  if (first === last) return after(first, low.slice(1), high.slice(1));
  const fromLow = after(first, low.slice(1), '9'.repeat(rest));
  const toHigh = after(last, '0'.repeat(rest), high.slice(1));
  const between = last - first > 1 ? [`[${first + 1}-${last - 1}]${rest > 0 ? ` [0-9]{${rest}}` : ''}`] : [];
  return [...fromLow, ...between, ...toHigh];
}

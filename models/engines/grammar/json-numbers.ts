import { literal, oneOf } from './rules.ts';
import type { SchemaContext, SchemaObject } from './schema-context.ts';

/** Digits before the point, so that every number is exact in a double. */
const DIGITS_MAX = 15;
const GREATEST = 10 ** DIGITS_MAX - 1;
/** With bounds: so many digits on either side of the point are exact together. */
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
  if (!bounds) return context.values.number();
  const { min, max } = bounds;
  if ([min, max].some((bound) => Number.isFinite(bound) && !isSmallInteger(bound))) {
    context.refuse(
      Number.isFinite(min) ? 'minimum' : 'maximum',
      path,
      'a bound of a number must be a whole one here',
    );
    return context.values.number();
  }
  const alternatives = [
    ...magnitudes({ ...bounds, min: Math.max(min, 0), minOpen: bounds.minOpen && min >= 0 }),
    ...magnitudes(negated(bounds)).map((magnitude) => `"-" ${magnitude}`),
  ];
  if (alternatives.length === 0) context.refuse('minimum', path, 'no number is within its bounds');
  return context.rules.define('number-within', oneOf(alternatives));
}

function isSmallInteger(bound: number): boolean {
  return Number.isInteger(bound) && Math.abs(bound) <= BOUND_MAX;
}

/** Undefined when there are none. Of two bounds on one side the narrower counts. */
function readBounds(schema: SchemaObject, path: string, context: SchemaContext): Bounds | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (multipleOf !== undefined && !(multipleOf === 1 && schema['type'] === 'integer')) {
    context.refuse('multipleOf', path);
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
  // Zero is written without a sign; what lies strictly below it has one.
  const upper = Math.min(max, 0);
  return { min: -upper, max: -min, minOpen: max < 0 ? maxOpen : true, maxOpen: minOpen };
}

/** Numbers without a sign, with or without a fraction, from `min` (not below 0) to `max`. */
function magnitudes({ min, max, minOpen, maxOpen }: Bounds): string[] {
  if (max < min || (max === min && (minOpen || maxOpen))) return [];
  if (max === min) return [literal(String(min))];
  const last = Math.min(max, GREATEST + 1);
  const fraction = `("." [0-9]{1,${FRACTION_DIGITS}})?`;
  const above = `"." [0-9]{0,${FRACTION_DIGITS - 1}} [1-9]`;
  return [
    ...(minOpen ? [`${literal(String(min))} ${above}`] : []),
    ...integersBetween(minOpen ? min + 1 : min, last - 1).map((digits) => `${digits} ${fraction}`),
    ...(maxOpen || max > GREATEST ? [] : [literal(String(max))]),
  ];
}

function integersBetween(min: number, max: number): string[] {
  if (min > max) return [];
  const negative = min < 0 ? naturalsBetween(Math.max(1, -max), -min) : [];
  const positive = max >= 0 ? naturalsBetween(Math.max(0, min), max) : [];
  return [...negative.map((digits) => `"-" ${digits}`), ...positive];
}

/** As patterns of digits, one or more for each number of digits. */
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

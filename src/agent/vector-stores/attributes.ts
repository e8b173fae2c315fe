import { Failure } from '../../base/errors.ts';

export type Attributes = Record<string, string | number | boolean>;

type Value = string | number | boolean;

/** Whether the attributes of a file match. */
export type Filter = (attributes: Attributes) => boolean;

const LEVELS_MAX = 8;
const FILTERS_MAX = 64;

const COMPARISONS: Readonly<Record<string, (left: Value, right: Value) => boolean>> = {
  eq: (left, right) => left === right,
  ne: (left, right) => left !== right,
  gt: (left, right) => isAlike(left, right) && left > right,
  gte: (left, right) => isAlike(left, right) && left >= right,
  lt: (left, right) => isAlike(left, right) && left < right,
  lte: (left, right) => isAlike(left, right) && left <= right,
};

/** Reads a filter as clients write it: comparisons of attributes, joined by "and" and "or". */
export function readFilter(given: unknown, param: string): Filter {
  let count = 0;
  const read = (filter: unknown, at: string, level: number): Filter => {
    if ((count += 1) > FILTERS_MAX || level > LEVELS_MAX)
      throw invalid(at, `A filter can have at most ${FILTERS_MAX} parts in ${LEVELS_MAX} levels.`);
    if (typeof filter !== 'object' || filter === null) throw invalid(at, `"${at}" must be an object.`);
    const { type, filters, key, value } = filter as Record<string, unknown>;
    if (type === 'and' || type === 'or') {
      if (!Array.isArray(filters) || filters.length === 0)
        throw invalid(`${at}.filters`, `"${at}.filters" must be a list of filters.`);
      const parts = filters.map((each, place) => read(each, `${at}.filters[${place}]`, level + 1));
      return type === 'and'
        ? (attributes) => parts.every((part) => part(attributes))
        : (attributes) => parts.some((part) => part(attributes));
    }
    if (typeof key !== 'string') throw invalid(`${at}.key`, `"${at}.key" must be the name of an attribute.`);
    return comparison(String(type), { key, value, at });
  };
  return read(given, param, 1);
}

/** A file without the attribute matches only "ne" and "nin". */
function comparison(type: string, { key, value, at }: { key: string; value: unknown; at: string }): Filter {
  const own = (attributes: Attributes) => (Object.hasOwn(attributes, key) ? attributes[key] : undefined);
  if (type === 'in' || type === 'nin') {
    if (!Array.isArray(value) || !value.every(isValue))
      throw invalid(`${at}.value`, `"${at}.value" must be a list of strings and numbers.`);
    const values = new Set<unknown>(value);
    return (attributes) => values.has(own(attributes)) === (type === 'in');
  }
  const compare = Object.hasOwn(COMPARISONS, type) ? COMPARISONS[type] : undefined;
  if (!compare) {
    const known = [...Object.keys(COMPARISONS), 'in', 'nin', 'and', 'or'].join(', ');
    throw invalid(`${at}.type`, `"${type}" is not a type of filter: use one of ${known}.`);
  }
  if (!isValue(value)) throw invalid(`${at}.value`, `"${at}.value" must be a string, a number or a boolean.`);
  return (attributes) => {
    const found = own(attributes);
    return found === undefined ? type === 'ne' : compare(found, value);
  };
}

const isValue = (value: unknown): value is Value => ['string', 'number', 'boolean'].includes(typeof value);
const isAlike = (left: Value, right: Value) => typeof left === typeof right;

function invalid(param: string, message: string): Failure {
  return new Failure('invalid_value', message, { param });
}

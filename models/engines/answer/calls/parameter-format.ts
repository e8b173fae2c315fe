/** How arguments are written one by one: everything around their names and values. */
export type ParameterFormat = {
  /** Between the head of a call and the name of its first argument. */
  first: string;
  /** Written instead of arguments, if there are none. */
  none: string;
  /** Between a name and its value. */
  middle: string;
  /** The same before a JSON value, if that is marked; `middle` is then for strings only. */
  json?: string;
  /** A string may be written as CDATA. */
  hasCharacterData?: boolean;
  /** Ends a value, so no value can contain it. */
  end: string;
  /** Between that and the next name. */
  next: string;
  /** Between the last value and the end of the call. */
  last: string;
};

type Written = { before: string; rest: string };

const KEYS = ['probe_key', 'probe_other'] as const;
const VALUES = ['value 8731', 'value 1378'] as const;
const NUMBER = 8713;

/**
 * Derives it from calls with no, one and two arguments. If a text could belong to either of two tags, it is split
 * before the start of a tag: joined, the parts are the same anyway.
 */
export function deriveParameters(write: (args: Record<string, unknown>) => Written | undefined) {
  const [key, other] = KEYS;
  const [value, otherValue] = VALUES;
  const none = write({});
  const one = cutAt(write({ [key]: value })?.rest, [key, value]);
  const two = cutAt(write({ [key]: value, [other]: otherValue })?.rest, [key, value, other, otherValue]);
  const number = cutAt(write({ [key]: NUMBER })?.rest, [key, String(NUMBER)]);
  if (!none || !one || !two) return undefined;
  const [opening = '', middle = '', closing = ''] = one;
  const between = two[2] ?? '';
  const head = withoutOpenTag(commonStart(none.rest, opening));
  const end = throughTag(commonStart(between, closing));
  const after = commonEnd(none.rest.slice(head.length), closing.slice(end.length));
  if (end === '' || middle === '' || after === '') return undefined;
  const format = {
    before: none.before,
    middle: head,
    after,
    parameters: {
      first: opening.slice(head.length),
      none: none.rest.slice(head.length, none.rest.length - after.length),
      middle,
      ...(number?.[1] !== undefined && number[1] !== middle && { json: number[1] }),
      end,
      next: between.slice(end.length),
      last: closing.slice(end.length, closing.length - after.length),
    } satisfies ParameterFormat,
  };
  return { format, value };
}

/** The texts before, between and after these, if they occur in this order. */
function cutAt(text: string | undefined, places: readonly string[]): string[] | undefined {
  if (text === undefined) return undefined;
  const parts: string[] = [];
  let from = 0;
  for (const place of places) {
    const found = text.indexOf(place, from);
    if (found === -1) return undefined;
    parts.push(text.slice(from, found));
    from = found + place.length;
  }
  return [...parts, text.slice(from)];
}

function commonStart(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return one.slice(0, length);
}

function commonEnd(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one.at(-1 - length) === other.at(-1 - length)) length++;
  return withWholeTag(one.slice(one.length - length));
}

/** The common end of two texts may start inside a tag of one of them. */
function withWholeTag(text: string): string {
  const place = text.indexOf('<');
  return place === -1 ? text : text.slice(place);
}

function withoutOpenTag(text: string): string {
  return text.replace(/<\/?$/, '');
}

function throughTag(text: string): string {
  return text.slice(0, text.lastIndexOf('>') + 1) || text;
}

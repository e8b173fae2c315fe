/** Methods of Python's strings and lists that the Jinja library lacks; lists are changed in place. */
export const STRING_METHODS: Readonly<Record<string, (text: string, ...args: unknown[]) => unknown>> = {
  format: (text, ...args) => format(text, args),
  removeprefix: (text, start) => (text.startsWith(String(start)) ? text.slice(String(start).length) : text),
  removesuffix: (text, end) =>
    end !== '' && text.endsWith(String(end)) ? text.slice(0, -String(end).length) : text,
  find: (text, part) => text.indexOf(String(part)),
  rfind: (text, part) => text.lastIndexOf(String(part)),
  count: (text, part) => text.split(String(part)).length - 1,
  join: (text, parts) => (Array.isArray(parts) ? parts.map(String).join(text) : ''),
  splitlines: (text) => text.split(/\r\n|\n|\r/),
  isdigit: (text) => /^\p{Nd}+$/u.test(text),
  isalpha: (text) => /^\p{L}+$/u.test(text),
  isalnum: (text) => /^[\p{L}\p{Nd}]+$/u.test(text),
  isspace: (text) => /^\s+$/.test(text),
  isupper: (text) => text !== text.toLowerCase() && text === text.toUpperCase(),
  islower: (text) => text !== text.toUpperCase() && text === text.toLowerCase(),
  zfill: (text, width) => text.padStart(Number(width), '0'),
};

export const LIST_METHODS: Readonly<
  Record<string, <Item>(list: Item[], ...args: Item[]) => Item | undefined>
> = {
  append: (list, item) => void list.push(item),
  extend: (list, items) => void list.push(...((items as { value?: never[] }).value ?? [])),
  insert: (list, place, item) => void list.splice(numberOf(place), 0, item as never),
  pop: (list, place) => list.splice(place === undefined ? -1 : numberOf(place), 1)[0],
};

function numberOf(value: unknown): number {
  return Number((value as { value?: unknown }).value);
}

/** Fills in `{}` and `{0}`; format specifications are ignored. */
function format(text: string, args: readonly unknown[]): string {
  let next = 0;
  return text.replace(/\{(\d*)(?::[^{}]*)?\}/g, (_, place: string) => {
    const value = args[place === '' ? next++ : Number(place)];
    return typeof value === 'string' ? value : JSON.stringify(value ?? '');
  });
}

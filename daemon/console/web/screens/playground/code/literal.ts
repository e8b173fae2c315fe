export type Dialect = 'JavaScript' | 'Python';

const LINE_MAX = 72;
const WORDS = {
  JavaScript: { null: 'null', true: 'true', false: 'false' },
  Python: { null: 'None', true: 'True', false: 'False' },
};

/** A JSON value in the syntax of both languages; a JSON string is a valid literal in either. */
export function literal(value: unknown, dialect: Dialect, depth = 0): string {
  if (value === null || typeof value === 'boolean') {
    return WORDS[dialect][String(value) as 'null' | 'true' | 'false'];
  }
  if (Array.isArray(value)) {
    return wrap(
      ['[', ']'],
      value.map((each) => literal(each, dialect, depth + 1)),
      depth,
    );
  }
  if (typeof value === 'object') return wrap(BRACES[dialect], members(value, dialect, depth), depth);
  return JSON.stringify(value);
}

export const BRACES: Record<Dialect, readonly [string, string]> = {
  JavaScript: ['{ ', ' }'],
  Python: ['{', '}'],
};

/** Fields without a value are omitted, as in JSON. */
export function members(value: object, dialect: Dialect, depth = 0): string[] {
  return Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .map(([key, each]) => `${keyOf(key, dialect)}: ${literal(each, dialect, depth + 1)}`);
}

function keyOf(key: string, dialect: Dialect): string {
  return dialect === 'JavaScript' && /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
}

/** On one line if that is short. */
export function wrap(
  [open, close]: readonly [string, string],
  items: readonly string[],
  depth: number,
): string {
  if (items.length === 0) return `${open}${close}`.replaceAll(' ', '');
  const line = `${open}${items.join(', ')}${close}`;
  if (line.length + depth * 2 <= LINE_MAX && !line.includes('\n')) return line;
  const indent = '  '.repeat(depth);
  return `${open.trim()}\n${items.map((item) => `${indent}  ${item},\n`).join('')}${indent}${close.trim()}`;
}

import type { Path } from '../../config/yaml.ts';

/** The expected shape of a value: one of some types, an object of named fields, or a list. */
export type Shape =
  | { is: readonly (keyof typeof KINDS)[] }
  | { fields: Record<string, Shape>; required?: readonly string[]; notEmpty?: boolean }
  | { items: Shape; notEmpty?: boolean };

export type Mistake = { path: Path; what: string };

const KINDS = {
  string: (value: unknown) => typeof value === 'string',
  boolean: (value: unknown) => typeof value === 'boolean',
  object: isObject,
  'whole number': (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0,
};

/**
 * The first difference between a value and a shape. Loading Ajv and compiling one schema would take a tenth of a
 * second, at every start of a test daemon.
 */
export function findMistake(value: unknown, shape: Shape, path: Path = []): Mistake | undefined {
  if ('is' in shape) {
    const isRight = shape.is.some((kind) => KINDS[kind](value));
    return isRight ? undefined : mistake(path, `must be ${shape.is.join(' or ')}.`);
  }
  return 'items' in shape ? findInList(value, shape, path) : findInObject(value, shape, path);
}

function findInList(
  value: unknown,
  { items, notEmpty }: Extract<Shape, { items: Shape }>,
  path: Path,
): Mistake | undefined {
  if (!Array.isArray(value)) return mistake(path, 'must be a list.');
  if (notEmpty && value.length === 0) return mistake(path, 'must not be empty.');
  return firstOf(value.entries(), ([index, item]) => findMistake(item, items, [...path, index]));
}

function findInObject(
  value: unknown,
  { fields, required = [], notEmpty }: Extract<Shape, { fields: object }>,
  path: Path,
): Mistake | undefined {
  if (!isObject(value)) return mistake(path, 'must be an object.');
  const missing = required.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return mistake(path, `must have "${missing}".`);
  if (notEmpty && Object.keys(value).length === 0) return mistake(path, 'must not be empty.');
  return firstOf(Object.entries(value), ([name, item]) => {
    const shape = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const at = [...path, name];
    return shape ? findMistake(item, shape, at) : { path: at, what: `"${name}" is not known here.` };
  });
}

function mistake(path: Path, what: string): Mistake {
  return { path, what: `${path.at(-1) ?? 'the file'} ${what}` };
}

function firstOf<Item>(
  items: Iterable<Item>,
  find: (item: Item) => Mistake | undefined,
): Mistake | undefined {
  for (const item of items) {
    const found = find(item);
    if (found) return found;
  }
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

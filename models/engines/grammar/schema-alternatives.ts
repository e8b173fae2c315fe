import { join } from './schema-join.ts';
import { normalised } from './schema-normalization.ts';
import { isSchemaObject, type SchemaObject } from './schema-context.ts';

export type ExpandContext = {
  root: unknown;
  refuse: (keyword: string, path: string, why?: string) => void;
};

/** The limit of expansion: choices beside choices multiply. */
const COMBINATIONS_MAX = 2048;
/** Each alternative of `oneOf` is compared with each other. */
const ALTERNATIVES_MAX = 256;

/** The ways to satisfy a schema, each without references and choices at its top; empty if nothing can. */
export function alternativesOf(
  schema: unknown,
  path: string,
  context: ExpandContext,
  seen: readonly string[] = [],
): readonly SchemaObject[] {
  if (schema === false) return [];
  if (!isSchemaObject(schema)) return [{}];
  const { $ref: target, allOf = [], anyOf, oneOf, ...own } = normalised(schema);
  const expand = (part: unknown) => alternativesOf(part, path, context, seen);
  let found: readonly SchemaObject[] = [own];
  if (typeof target === 'string') found = combined(found, referred(target, path, context, seen));
  for (const part of listed('allOf', allOf)) found = combined(found, expand(part));
  if (anyOf !== undefined) found = combined(found, listed('anyOf', anyOf).flatMap(expand));
  if (oneOf !== undefined) {
    const parts = listed('oneOf', oneOf).map((part) => combined(found, expand(part)));
    refuseOverlap(parts, path, context);
    found = parts.flat();
  }
  return found;

  function listed(keyword: string, parts: unknown): readonly unknown[] {
    if (Array.isArray(parts) && (parts.length > 0 || keyword === 'allOf')) return parts;
    context.refuse(keyword, path, 'it must be a list of schemas');
    return [true];
  }

  function combined(some: readonly SchemaObject[], others: readonly SchemaObject[]): readonly SchemaObject[] {
    if (some.length * others.length > COMBINATIONS_MAX) {
      context.refuse('anyOf', path, `the combined alternatives exceed ${COMBINATIONS_MAX}`);
      return others;
    }
    const joined = some.flatMap((one) => others.map((other) => join(one, other)));
    return joined.filter((one) => one !== undefined);
  }
}

function referred(target: string, path: string, context: ExpandContext, seen: readonly string[]) {
  const schema = resolveReference(target, context.root);
  if (schema !== undefined && !seen.includes(target)) {
    return alternativesOf(schema, path, context, [...seen, target]);
  }
  const why = schema === undefined ? 'does not exist in the schema' : 'refers to itself';
  context.refuse('$ref', path, `"${target}" ${why}`);
  return [{}];
}

export function resolveReference(target: string, root: unknown): unknown {
  if (target !== '#' && !target.startsWith('#/')) return undefined;
  const steps = target.split('/').slice(1);
  return steps.reduce<unknown>((node, step) => {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, name)) return undefined;
    return (node as Record<string, unknown>)[name];
  }, root);
}

/** For parts that must exclude each other, each with its alternatives. */
export function refuseOverlap(
  parts: readonly (readonly SchemaObject[])[],
  path: string,
  { refuse }: Pick<ExpandContext, 'refuse'>,
): void {
  const alternatives = parts.flatMap((part, index) =>
    part.map((schema) => ({ schema, index, constants: requiredConstants(schema) })),
  );
  const areApart = alternatives.every((one, place) =>
    alternatives
      .slice(place + 1, ALTERNATIVES_MAX)
      .every(
        (other) =>
          one.index === other.index ||
          areDistinguished(one.constants, other.constants) ||
          join(one.schema, other.schema) === undefined,
      ),
  );
  if (!areApart) {
    refuse('oneOf', path, 'its alternatives may overlap; use anyOf, or give each a distinguishing "const"');
  } else if (alternatives.length > ALTERNATIVES_MAX) {
    refuse('oneOf', path, `it has more than ${ALTERNATIVES_MAX} alternatives; use anyOf`);
  }
}

type Constants = ReadonlyMap<string, ReadonlySet<string>>;

/** The values of required properties that have constants: they distinguish most alternatives, and are cheap to compare. */
function requiredConstants({ properties, required }: SchemaObject): Constants {
  const constants = new Map<string, Set<string>>();
  if (!isSchemaObject(properties) || !Array.isArray(required)) return constants;
  for (const name of required as unknown[]) {
    const schema = typeof name === 'string' ? properties[name] : undefined;
    const values = isSchemaObject(schema) ? normalised(schema)['enum'] : undefined;
    if (Array.isArray(values)) constants.set(String(name), new Set(values.map((one) => JSON.stringify(one))));
  }
  return constants;
}

function areDistinguished(one: Constants, other: Constants): boolean {
  for (const [name, values] of one) {
    const others = other.get(name);
    if (others && ![...values].some((value) => others.has(value))) return true;
  }
  return false;
}

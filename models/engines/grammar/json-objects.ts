import { otherNames } from './json-strings.ts';
import { literal } from './rules.ts';
import { countOf, isSchemaObject, pointer, type SchemaContext, type SchemaObject } from './schema-context.ts';

type Property = { pair: string; isRequired: boolean };

/**
 * Declared properties come in the order of the schema. Others follow them if the schema allows it. If it says
 * nothing, there are none, unless no property is declared.
 */
export function objectRule(schema: SchemaObject, path: string, context: SchemaContext): string {
  const { rules, values } = context;
  const properties: SchemaObject = isSchemaObject(schema['properties']) ? schema['properties'] : {};
  const required = requiredOf(schema, path, context);
  const { additionalProperties, propertyNames } = schema;
  checkCounts(schema, path, context, { required: required.length, known: Object.keys(properties).length });
  const missing = required.filter((name) => !Object.hasOwn(properties, name));
  const barred = required.find((name) => (properties[name] ?? additionalProperties) === false);
  if (barred !== undefined) context.refuse('required', path, `"${barred}" is required but is not a property`);
  const names = [...Object.keys(properties), ...missing];
  const isOpen = additionalProperties === undefined || additionalProperties === true;
  if (names.length === 0 && isOpen && propertyNames === undefined) return values.object();
  const convert = (name: string, value: unknown, place: string): Property => ({
    pair: rules.define('pair', pairOf(literal(JSON.stringify(name)), context.convert(value, place), context)),
    isRequired: required.includes(name),
  });
  const known = [
    ...Object.entries(properties)
      .filter(([, value]) => value !== false)
      .map(([name, value]) => convert(name, value, pointer(path, 'properties', name))),
    ...missing.map((name) =>
      convert(name, additionalProperties ?? true, pointer(path, 'additionalProperties')),
    ),
  ];
  const members = chain(known, extraPair(schema, path, names, context), context);
  return rules.define('object-of', `"{" ${values.space()} ${members} "}"`);
}

function requiredOf(schema: SchemaObject, path: string, context: SchemaContext): string[] {
  const { required = [] } = schema;
  if (Array.isArray(required) && required.every((name) => typeof name === 'string')) {
    return [...new Set(required)];
  }
  context.refuse('required', path, 'it must be a list of names');
  return [];
}

/** Ignores bounds that other keywords already guarantee. */
function checkCounts(
  schema: SchemaObject,
  path: string,
  context: SchemaContext,
  counts: { required: number; known: number },
): void {
  const min = countOf(schema, 'minProperties', path, context) ?? 0;
  const max = countOf(schema, 'maxProperties', path, context) ?? Infinity;
  const isClosed =
    schema['additionalProperties'] === false || (counts.known > 0 && !schema['additionalProperties']);
  if (min > counts.required) context.refuse('minProperties', path);
  if (max !== Infinity && !(isClosed && max >= counts.known)) context.refuse('maxProperties', path);
}

function pairOf(name: string, value: string, { values }: SchemaContext): string {
  return `${name} ${values.space()} ":" ${values.space()} ${value}`;
}

/** Any number of further properties, if the schema allows them. */
function extraPair(
  schema: SchemaObject,
  path: string,
  names: readonly string[],
  context: SchemaContext,
): string | undefined {
  const { propertyNames, additionalProperties = propertyNames !== undefined && names.length === 0 } = schema;
  if (propertyNames !== undefined && names.length > 0) {
    context.refuse('propertyNames', path, 'it is combined with declared properties');
  }
  if (additionalProperties === false) return undefined;
  const value = context.convert(additionalProperties, pointer(path, 'additionalProperties'));
  const name =
    names.length === 0 && isSchemaObject(propertyNames)
      ? context.convert({ type: 'string', ...propertyNames }, pointer(path, 'propertyNames'))
      : otherNames(names, context);
  return context.rules.define('other-pair', pairOf(name, value, context));
}

/**
 * Built from the last property to the first, with two rules each: what may follow an empty object, and what may
 * follow a property, which takes a comma. So the grammar grows with the number of properties, not with the ways to
 * omit some.
 */
function chain(
  known: readonly Property[],
  extra: string | undefined,
  { rules, values }: SchemaContext,
): string {
  const comma = values.comma();
  let next =
    extra === undefined ? values.space() : rules.define('more', `(${comma} ${extra})* ${values.space()}`);
  let first = extra === undefined ? '""' : rules.define('first', `(${extra} ${next})?`);
  for (const { pair, isRequired } of known.toReversed()) {
    const begun = `${pair} ${next}`;
    first = isRequired ? rules.define('first', begun) : rules.define('first', `${begun} | ${first}`);
    next = rules.define('more', isRequired ? `${comma} ${begun}` : `(${comma} ${pair})? ${next}`);
  }
  return first;
}

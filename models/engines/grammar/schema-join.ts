import { hasType } from './schema-constants.ts';
import { isSchemaObject, type SchemaObject } from './schema-context.ts';
import { normalised } from './schema-normalization.ts';

/** Intersects two values of one keyword; undefined if nothing satisfies both. */
type Join = (one: unknown, other: unknown) => unknown;

const greater: Join = (one, other) => Math.max(Number(one), Number(other));
const smaller: Join = (one, other) => Math.min(Number(one), Number(other));
const either: Join = (one, other) => one === true || other === true;
const list: Join = (one, other) => distinct([one, other].flat());
const schemas: Join = (one, other) => bothSchemas(one, other);

/** Keywords that do not depend on others. */
const JOINS: Readonly<Record<string, Join>> = {
  type: commonTypes,
  enum: (one, other) => nonEmpty(list([], one) as unknown[], (value) => includes(other, value)),
  required: list,
  pattern: list,
  format: list,
  minimum: greater,
  exclusiveMinimum: greater,
  minLength: greater,
  minItems: greater,
  minProperties: greater,
  maximum: smaller,
  exclusiveMaximum: smaller,
  maxLength: smaller,
  maxItems: smaller,
  maxProperties: smaller,
  uniqueItems: either,
  propertyNames: schemas,
  multipleOf: commonMultiple,
};

/** The intersection of two schemas without references and choices; undefined if it is empty. */
export function join(one: SchemaObject, other: SchemaObject): SchemaObject | undefined {
  const joined: Record<string, unknown> = {
    ...one,
    ...other,
    ...propertiesOf(one, other),
    ...itemsOf(one, other),
  };
  for (const keyword of Object.keys(one)) {
    if (other[keyword] === undefined || SHARED.has(keyword)) continue;
    const merge = JOINS[keyword];
    if (!merge) continue;
    const value = merge(one[keyword], other[keyword]);
    if (value === undefined) return undefined;
    joined[keyword] = value;
  }
  return isImpossible(joined) ? undefined : joined;
}

/** Keywords whose meaning depends on others beside them. */
const SHARED = new Set(['properties', 'additionalProperties', 'prefixItems', 'items']);

function propertiesOf(one: SchemaObject, other: SchemaObject): SchemaObject {
  const [ones, others] = [one, other].map(({ properties }) => (isSchemaObject(properties) ? properties : {}));
  const names = [...Object.keys(ones ?? {}), ...Object.keys(others ?? {})];
  const [rest, otherRest] = [one['additionalProperties'], other['additionalProperties']];
  const additionalProperties = bothSchemas(rest, otherRest);
  const properties = Object.fromEntries(
    names.map((name) => [name, bothSchemas(ones?.[name] ?? rest, others?.[name] ?? otherRest) ?? true]),
  );
  return {
    ...(names.length > 0 && { properties }),
    ...(additionalProperties !== undefined && { additionalProperties }),
  };
}

function itemsOf(one: SchemaObject, other: SchemaObject): SchemaObject {
  const [heads, otherHeads] = [one, other].map(({ prefixItems }) =>
    Array.isArray(prefixItems) ? (prefixItems as unknown[]) : [],
  );
  const items = bothSchemas(one['items'], other['items']);
  const count = Math.max(heads?.length ?? 0, otherHeads?.length ?? 0);
  const prefixItems = Array.from(
    { length: count },
    (_, place) => bothSchemas(heads?.[place] ?? one['items'], otherHeads?.[place] ?? other['items']) ?? true,
  );
  return { ...(count > 0 && { prefixItems }), ...(items !== undefined && { items }) };
}

/** Left to the conversion, unless it is trivial. */
function bothSchemas(one: unknown, other: unknown): unknown {
  if (one === undefined || one === true) return other ?? one;
  if (other === undefined || other === true || isSame(one, other)) return one;
  if (one === false || other === false) return false;
  if (!isPlain(one) || !isPlain(other)) return { allOf: [one, other] };
  return join(normalised(one), normalised(other)) ?? false;
}

function isPlain(schema: unknown): schema is SchemaObject {
  return isSchemaObject(schema) && !CHOICES.some((keyword) => schema[keyword] !== undefined);
}

export const CHOICES = ['$ref', 'anyOf', 'oneOf', 'allOf'] as const;

/** A required property is impossible, or no constant has the type. */
function isImpossible(schema: SchemaObject): boolean {
  const { required, additionalProperties, enum: values } = schema;
  if (Array.isArray(values) && !values.some((value) => hasType(value, schema))) return true;
  const properties: SchemaObject = isSchemaObject(schema['properties']) ? schema['properties'] : {};
  if (!Array.isArray(required)) return false;
  return required.some((name) => (properties[String(name)] ?? additionalProperties) === false);
}

function commonTypes(one: unknown, other: unknown): unknown {
  const others = list([], other) as unknown[];
  const fitting = (list([], one) as unknown[]).flatMap((type) => {
    if (others.includes(type)) return [type];
    const isNumber = type === 'integer' || type === 'number';
    return isNumber && (others.includes('number') || others.includes('integer')) ? ['integer'] : [];
  });
  return nonEmpty(distinct(fitting), () => true);
}

function commonMultiple(one: unknown, other: unknown): unknown {
  const [low, high] = [Number(smaller(one, other)), Number(greater(one, other))];
  return Number.isInteger(high / low) ? high : [one, other];
}

function nonEmpty(values: readonly unknown[], isFitting: (value: unknown) => boolean): unknown {
  const fitting = values.filter(isFitting);
  return fitting.length > 0 ? fitting : undefined;
}

function includes(values: unknown, value: unknown): boolean {
  return Array.isArray(values) && values.some((each) => isSame(each, value));
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function distinct(values: readonly unknown[]): unknown[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

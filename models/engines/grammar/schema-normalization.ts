import { isSchemaObject, type SchemaObject } from './schema-context.ts';

/** Rewrites equivalent spellings: `const`, tuples of earlier drafts, and `nullable` of OpenAPI 3.0. */
export function normalised({
  const: value,
  nullable,
  additionalItems,
  ...schema
}: SchemaObject): SchemaObject {
  const { items, type, propertyNames } = schema;
  return {
    ...schema,
    ...(value !== undefined && { enum: commonConstants(value, schema['enum']) }),
    ...(nullable === true && type !== undefined && { type: [type, 'null'].flat() }),
    ...(Array.isArray(items) && { prefixItems: items as unknown[], items: additionalItems }),
    ...(isSchemaObject(propertyNames) && namesOf(schema, propertyNames)),
  };
}

function commonConstants(value: unknown, values: unknown): unknown[] {
  const text = JSON.stringify(value);
  return Array.isArray(values) ? values.filter((each) => JSON.stringify(each) === text) : [value];
}

/** An enumeration of names declares the properties; unrestricted names add nothing. */
function namesOf(
  { properties, additionalProperties = true }: SchemaObject,
  names: SchemaObject,
): SchemaObject {
  const known: SchemaObject = isSchemaObject(properties) ? properties : {};
  const listed = normalised(names)['enum'];
  if (Array.isArray(listed)) {
    const named = listed.filter((name) => typeof name === 'string');
    const each = named.map((name) => [name, known[name] ?? additionalProperties]);
    return { propertyNames: undefined, properties: Object.fromEntries(each), additionalProperties: false };
  }
  const isAny = Object.keys(names).every((keyword) => keyword === 'type' && names['type'] === 'string');
  return isAny ? { propertyNames: undefined } : {};
}

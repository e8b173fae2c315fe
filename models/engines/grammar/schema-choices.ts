import { oneOf } from './rules.ts';
import { isSchemaObject, pointer, type SchemaContext, type SchemaObject } from './schema-context.ts';

/** `allOf` of one schema is that schema; of several it is more than a grammar can say. */
export function choicesRule(
  keyword: 'anyOf' | 'oneOf' | 'allOf',
  schema: SchemaObject,
  path: string,
  context: SchemaContext,
): string {
  const parts = schema[keyword];
  if (!Array.isArray(parts) || parts.length === 0) {
    context.refuse(keyword, path, 'it must be a list of schemas');
    return context.values.value();
  }
  if (keyword === 'allOf' && parts.length > 1)
    context.refuse(keyword, path, 'only one schema can stand in it');
  const used: unknown[] = keyword === 'allOf' ? parts.slice(0, 1) : parts;
  const alternatives = used.map((part, index) => context.convert(part, pointer(path, keyword, index)));
  return context.rules.define('choice', oneOf(alternatives));
}

/** Whether no value can fit two of the alternatives: they have other types, or other constants in a place that all have. */
export function isExclusive(parts: unknown, { root }: SchemaContext): boolean {
  if (!Array.isArray(parts)) return false;
  const schemas = parts.map((part: unknown) => follow(part, root));
  return schemas.every((one, index) => schemas.slice(index + 1).every((other) => differ(one, other)));
}

function differ(one: SchemaObject | undefined, other: SchemaObject | undefined): boolean {
  if (!one || !other) return false;
  const [ones, others] = [constantsOf(one), constantsOf(other)];
  if (ones && others) return !ones.some((value) => others.includes(value));
  const [types, otherTypes] = [kindsOf(one), kindsOf(other)];
  if (types && otherTypes && !types.some((type) => otherTypes.includes(type))) return true;
  const [properties, otherProperties] = [tagsOf(one), tagsOf(other)];
  return Object.entries(properties).some(([name, values]) => {
    const rest = otherProperties[name];
    return rest !== undefined && !values.some((value) => rest.includes(value));
  });
}

function follow(part: unknown, root: unknown): SchemaObject | undefined {
  if (!isSchemaObject(part)) return undefined;
  const target = part['$ref'];
  if (typeof target !== 'string') return part;
  const [, name = ''] = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(target) ?? [];
  const definitions = isSchemaObject(root) ? (root['$defs'] ?? root['definitions']) : undefined;
  const found = isSchemaObject(definitions) ? definitions[name] : undefined;
  return isSchemaObject(found) && found['$ref'] === undefined ? found : undefined;
}

/** As texts, so that they can be compared. */
function constantsOf({ const: value, enum: values }: SchemaObject): string[] | undefined {
  if (value !== undefined) return [JSON.stringify(value)];
  return Array.isArray(values) ? values.map((each) => JSON.stringify(each)) : undefined;
}

function kindsOf({ type, ...schema }: SchemaObject): string[] | undefined {
  const kind = (name: unknown) => (name === 'integer' ? 'number' : String(name));
  if (type !== undefined) return [type].flat().map(kind);
  const constants = constantsOf(schema);
  return constants?.map((text) => {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return 'array';
    return value === null ? 'null' : typeof value;
  });
}

/** Properties that every such object has, with the constants that they may be. */
function tagsOf({ type, properties, required }: SchemaObject): Record<string, string[]> {
  if (type !== 'object' || !isSchemaObject(properties) || !Array.isArray(required)) return {};
  const tags = Object.entries(properties).flatMap(([name, value]) => {
    const values = isSchemaObject(value) ? constantsOf(value) : undefined;
    return values && required.includes(name) ? [[name, values] as const] : [];
  });
  return Object.fromEntries(tags);
}

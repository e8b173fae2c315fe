import type { JsonSchema } from '../../../src/runtime/engine.ts';
import { integerRule, numberRule } from './json-numbers.ts';
import { objectRule } from './json-objects.ts';
import { stringRule } from './json-strings.ts';
import { createValues } from './json-values.ts';
import { oneOf, type Rules } from './rules.ts';
import { alternativesOf, refuseOverlap, resolveReference } from './schema-alternatives.ts';
import { constantsRule } from './schema-constants.ts';
import { CHOICES } from './schema-join.ts';
import { normalised } from './schema-normalization.ts';
import {
  countOf,
  isSchemaObject,
  pointer,
  unsupported,
  type SchemaContext,
  type SchemaObject,
} from './schema-context.ts';

export type SchemaOptions = {
  /** The field of the request that has the schema, for error messages. */
  param: string;
  /** Drops what cannot be enforced instead of rejecting it. */
  isLoose?: boolean;
};

/** The name of a rule for exactly the documents of the schema, or for a subset of them, but never for others. */
export function schemaRule(schema: JsonSchema, rules: Rules, options: SchemaOptions): string {
  return rules.define('document', schemaContext(schema, rules, options).convert(schema, '#'));
}

/** Converts the parts of a schema. */
export function schemaContext(
  schema: JsonSchema,
  rules: Rules,
  { param, isLoose = false }: SchemaOptions,
): SchemaContext {
  const references = new Map<string, string>();
  const context: SchemaContext = {
    rules,
    values: createValues(rules),
    root: schema,
    convert: (part, path) => convert(part, path, context, references),
    refuse(keyword, path, why) {
      if (!isLoose) throw unsupported(keyword, path, { param, ...(why !== undefined && { why }) });
    },
  };
  return context;
}

const DEPTH_MAX = 64;

/** Annotations without effect on validation. */
const NOTES = [
  '$schema',
  '$id',
  '$comment',
  '$defs',
  'definitions',
  '$anchor',
  'title',
  'description',
  'default',
  'examples',
  'example',
  'deprecated',
  'readOnly',
  'writeOnly',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
  'discriminator',
  'externalDocs',
];

/** The keywords of each type; for other types they have no effect. */
const KEYWORDS = {
  object: [
    'properties',
    'required',
    'additionalProperties',
    'minProperties',
    'maxProperties',
    'propertyNames',
  ],
  array: ['items', 'prefixItems', 'additionalItems', 'minItems', 'maxItems', 'uniqueItems'],
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  boolean: [],
  null: [],
} as const;
type TypeName = keyof typeof KEYWORDS;

const KNOWN = new Set<string>([
  'type',
  'nullable',
  'const',
  'enum',
  ...CHOICES,
  ...Object.values(KEYWORDS).flat(),
]);

/** `references` are the rules of recursive schemas, by pointer. */
function convert(
  schema: unknown,
  path: string,
  context: SchemaContext,
  references: Map<string, string>,
): string {
  if (schema === true) return context.values.value();
  if (!isSchemaObject(schema)) {
    context.refuse(
      'schema',
      path,
      schema === false ? 'no value matches the schema false' : 'it is not a schema',
    );
    return context.values.value();
  }
  if (path.split('/').length > DEPTH_MAX) {
    throw unsupported('schema', path, { param: '', why: `it is nested deeper than ${DEPTH_MAX} levels` });
  }
  refuseUnknown(schema, path, context);
  const [choice, ...others] = CHOICES.filter((keyword) => schema[keyword] !== undefined);
  if (choice === undefined) return valuesRule(normalised(schema), path, context);
  if (others.length > 0 || Object.keys(schema).some((key) => key !== choice && !isNote(key))) {
    return joinedRule(schema, path, context, references);
  }
  if (choice === '$ref') return referenceRule(String(schema['$ref']), path, context, references);
  const parts = schema[choice];
  if (!Array.isArray(parts) || parts.length === 0 || (choice === 'allOf' && parts.length > 1)) {
    return joinedRule(schema, path, context, references);
  }
  if (choice === 'oneOf') {
    const alternatives = parts.map((part) => alternativesOf(part, path, context));
    refuseOverlap(alternatives, path, context);
  }
  const alternatives = parts.map((part, index) => context.convert(part, pointer(path, choice, index)));
  return context.rules.define('choice', oneOf(alternatives));
}

function isNote(keyword: string): boolean {
  return NOTES.includes(keyword) || keyword.startsWith('x-');
}

function refuseUnknown(schema: SchemaObject, path: string, context: SchemaContext): void {
  for (const [keyword, value] of Object.entries(schema)) {
    if (value !== undefined && !KNOWN.has(keyword) && !isNote(keyword)) context.refuse(keyword, path);
  }
}

/** Keywords beside a reference or a choice apply as well, so they are merged into each alternative. */
function joinedRule(
  schema: SchemaObject,
  path: string,
  context: SchemaContext,
  references: Map<string, string>,
): string {
  const key = JSON.stringify(schema);
  const known = references.get(key);
  if (known !== undefined) return known;
  const name = context.rules.reserve('joined');
  references.set(key, name);
  const alternatives = alternativesOf(schema, path, context);
  if (alternatives.length === 0) context.refuse('schema', path, 'no value satisfies all of its keywords');
  for (const alternative of alternatives) refuseUnknown(alternative, path, context);
  const rules = alternatives.map((alternative) => valuesRule(alternative, path, context));
  context.rules.fill(name, rules.length > 0 ? oneOf(rules) : context.values.value());
  return name;
}

/** Names are reserved before their rules are written, so that a schema can refer to itself. */
function referenceRule(
  target: string,
  path: string,
  context: SchemaContext,
  references: Map<string, string>,
): string {
  const known = references.get(target);
  if (known !== undefined) return known;
  const schema = resolveReference(target, context.root);
  if (schema === undefined) {
    context.refuse('$ref', path, `"${target}" does not exist in the schema`);
    return context.values.value();
  }
  const name = context.rules.reserve('ref');
  references.set(target, name);
  context.rules.fill(name, context.convert(schema, target));
  return name;
}

/** For a schema without references and choices. */
function valuesRule(schema: SchemaObject, path: string, context: SchemaContext): string {
  return schema['enum'] === undefined
    ? typesRule(schema, path, context)
    : constantsRule(schema, path, context);
}

function typesRule(schema: SchemaObject, path: string, context: SchemaContext): string {
  const named = typesOf(schema);
  if (named?.some((type) => !Object.hasOwn(KEYWORDS, type))) {
    context.refuse('type', path, `of the types ${Object.keys(KEYWORDS).join(', ')} are`);
    return context.values.value();
  }
  const types = named ?? impliedTypes(schema);
  if (types.length === 0) return context.values.value();
  return context.rules.define('typed', oneOf(types.map((type) => typeRule(type, schema, path, context))));
}

function typesOf({ type }: SchemaObject): TypeName[] | undefined {
  return type === undefined ? undefined : ([type].flat() as TypeName[]);
}

/** A schema with keywords of only one type is meant for that type. */
function impliedTypes(schema: SchemaObject): TypeName[] {
  const types: TypeName[] = ['object', 'array', 'string', 'number'];
  return types.filter((type) => KEYWORDS[type].some((keyword) => schema[keyword] !== undefined)).slice(0, 1);
}

function typeRule(type: TypeName, schema: SchemaObject, path: string, context: SchemaContext): string {
  if (type === 'object') return objectRule(schema, path, context);
  if (type === 'array') return arrayRule(schema, path, context);
  if (type === 'string') return stringRule(schema, path, context);
  if (type === 'integer') return integerRule(schema, path, context);
  if (type === 'number') return numberRule(schema, path, context);
  return type === 'null' ? '"null"' : '("true" | "false")';
}

/** A tuple without a stated length gets exactly all its items, as its author means it. */
function arrayRule(schema: SchemaObject, path: string, context: SchemaContext): string {
  const { rules, values } = context;
  if (schema['uniqueItems'] === true) context.refuse('uniqueItems', path);
  const tuple: unknown[] = Array.isArray(schema['prefixItems']) ? schema['prefixItems'] : [];
  const impossible = tuple.indexOf(false);
  const fixed = impossible < 0 ? tuple : tuple.slice(0, impossible);
  const { items = fixed.length === 0, prefixItems } = schema;
  if (prefixItems !== undefined && !Array.isArray(prefixItems)) {
    context.refuse('prefixItems', path, 'it must be a list of schemas');
  }
  const least = countOf(schema, 'minItems', path, context);
  const declared = countOf(schema, 'maxItems', path, context) ?? Infinity;
  const max = items === false || impossible >= 0 ? Math.min(declared, fixed.length) : declared;
  const min = least ?? (items === false ? Math.min(fixed.length, max) : 0);
  if (min > max) context.refuse('minItems', path, 'it allows fewer items only');
  const heads = fixed
    .slice(0, max)
    .map((item, place) => context.convert(item, pointer(path, 'prefixItems', place)));
  const rest =
    items === false || max <= heads.length ? undefined : context.convert(items, pointer(path, 'items'));
  const members = itemsRule({ heads, rest, min, max }, context);
  return rules.define('array-of', `"[" ${values.space()} ${members} "]"`);
}

type Items = { heads: readonly string[]; rest: string | undefined; min: number; max: number };

/** Built from the end: each fixed item may be the last one, once there are enough. */
function itemsRule({ heads, rest, min, max }: Items, { rules, values }: SchemaContext): string {
  const comma = values.comma();
  const count = heads.length;
  const [least, most] = [Math.max(0, min - count), max - count];
  const following = rest && rules.define('item', `${comma} ${rest}`);
  let after = following && most > 0 ? rules.repeat(following, least, most) : '""';
  for (const [place, head] of [...heads.entries()].toReversed()) {
    if (place === 0) break;
    const item = `${comma} ${head} ${after}`;
    after = place < min ? rules.define('items', item) : rules.define('items', `(${item})?`);
  }
  if (count > 0) return optional(`${heads[0]} ${after} ${values.space()}`, min);
  if (!rest || most <= 0) return '""';
  const others = rules.repeat(following ?? '""', Math.max(0, least - 1), most - 1);
  return optional(`${rest} ${others} ${values.space()}`, min);
}

function optional(items: string, min: number): string {
  return min > 0 ? items : `(${items})?`;
}

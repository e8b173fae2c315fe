import type { JsonSchema } from '../../../src/runtime/engine.ts';
import { integerRule, numberRule } from './json-numbers.ts';
import { objectRule } from './json-objects.ts';
import { stringRule } from './json-strings.ts';
import { createValues } from './json-values.ts';
import { literal, oneOf, type Rules } from './rules.ts';
import { choicesRule, isExclusive } from './schema-choices.ts';
import {
  countOf,
  isSchemaObject,
  pointer,
  unsupported,
  type SchemaContext,
  type SchemaObject,
} from './schema-context.ts';

export type SchemaOptions = {
  /** The field of the request that has the schema, for who is told what is wrong with it. */
  param: string;
  /** Leaves out what cannot be kept instead of refusing it. */
  isLoose?: boolean;
};

/** The name of a rule for exactly the documents of the schema, or for some of them: never for others. */
export function schemaRule(schema: JsonSchema, rules: Rules, options: SchemaOptions): string {
  return rules.define('document', schemaContext(schema, rules, options).convert(schema, '#'));
}

/** What converts the parts of a schema one by one. */
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

/** They say something to people and bind nothing. */
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
  'deprecated',
  'readOnly',
  'writeOnly',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
];

/** What each type is bound by; for another type it means nothing. */
const KEYWORDS = {
  object: ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'],
  array: ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems'],
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  boolean: [],
  null: [],
} as const;
type TypeName = keyof typeof KEYWORDS;

const CHOICES = ['$ref', 'const', 'enum', 'anyOf', 'oneOf', 'allOf'] as const;
const TYPED = new Set<string>(Object.values(KEYWORDS).flat());

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
      schema === false ? 'no value fits a schema that is false' : 'it is no schema',
    );
    return context.values.value();
  }
  if (path.split('/').length > DEPTH_MAX) {
    throw unsupported('schema', path, { param: '', why: `it is nested deeper than ${DEPTH_MAX} levels` });
  }
  refuseUnknown(schema, path, context);
  const choice = CHOICES.find((keyword) => schema[keyword] !== undefined);
  if (choice === undefined) return typesRule(schema, path, context);
  refuseBeside(choice, schema, path, context);
  if (choice === '$ref') return referenceRule(String(schema['$ref']), path, context, references);
  if (choice === 'const') return constants([schema['const']], schema, path, context);
  if (choice === 'enum') return constants(schema['enum'], schema, path, context);
  if (choice === 'oneOf' && !isExclusive(schema['oneOf'], context)) {
    context.refuse(
      'oneOf',
      path,
      'its alternatives may overlap; say anyOf, or give each a "const" that tells them apart',
    );
  }
  return choicesRule(choice, schema, path, context);
}

function refuseUnknown(schema: SchemaObject, path: string, context: SchemaContext): void {
  for (const keyword of Object.keys(schema)) {
    const isKnown =
      keyword === 'type' ||
      TYPED.has(keyword) ||
      NOTES.includes(keyword) ||
      keyword.startsWith('x-') ||
      CHOICES.some((choice) => choice === keyword);
    if (!isKnown) context.refuse(keyword, path);
  }
}

/** What stands beside a choice would have to hold as well; a type beside constants is kept, for it only leaves some out. */
function refuseBeside(choice: string, schema: SchemaObject, path: string, context: SchemaContext): void {
  const isConstant = choice === 'const' || choice === 'enum';
  for (const keyword of Object.keys(schema)) {
    if (keyword === choice || NOTES.includes(keyword) || keyword.startsWith('x-')) continue;
    if (keyword === 'type' && (isConstant || fitsAll(schema, choice))) continue;
    context.refuse(keyword, path, `it stands beside "${choice}"`);
  }
}

/** A type that every alternative has by itself says nothing new. */
function fitsAll(schema: SchemaObject, choice: string): boolean {
  const parts = schema[choice];
  return (
    Array.isArray(parts) && parts.every((part) => isSchemaObject(part) && part['type'] === schema['type'])
  );
}

function constants(values: unknown, schema: SchemaObject, path: string, context: SchemaContext): string {
  const types = typesOf(schema);
  const fitting = (Array.isArray(values) ? values : []).filter(
    (value) => !types || types.some((type) => isOfType(value, type)),
  );
  if (fitting.length === 0) {
    context.refuse('enum' in schema ? 'enum' : 'const', path, 'no value is left that fits');
    return context.values.value();
  }
  return context.rules.define('constant', oneOf(fitting.map((value) => literal(JSON.stringify(value)))));
}

function isOfType(value: unknown, type: TypeName): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'null') return value === null;
  if (type === 'object') return isSchemaObject(value);
  return typeof value === type;
}

/** Rules are named before they are filled, so that a schema can refer to itself. */
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
    context.refuse('$ref', path, `"${target}" leads nowhere within the schema`);
    return context.values.value();
  }
  const name = context.rules.reserve('ref');
  references.set(target, name);
  context.rules.fill(name, context.convert(schema, target));
  return name;
}

export function resolveReference(target: string, root: JsonSchema): unknown {
  if (target !== '#' && !target.startsWith('#/')) return undefined;
  const steps = target.split('/').slice(1);
  return steps.reduce<unknown>((node, step) => {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, name)) return undefined;
    return (node as Record<string, unknown>)[name];
  }, root);
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

/** A schema that binds one type only is meant for that type. */
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

function arrayRule(schema: SchemaObject, path: string, context: SchemaContext): string {
  const { rules, values } = context;
  const { items = true, uniqueItems } = schema;
  if (uniqueItems === true) context.refuse('uniqueItems', path);
  const fixed: unknown[] = Array.isArray(schema['prefixItems']) ? schema['prefixItems'] : [];
  const min = countOf(schema, 'minItems', path, context) ?? 0;
  const asked = countOf(schema, 'maxItems', path, context) ?? Infinity;
  const max = items === false ? Math.min(asked, fixed.length) : asked;
  if (min > max) context.refuse('minItems', path, 'there can be fewer items only');
  const heads = fixed
    .slice(0, max)
    .map((item, place) => context.convert(item, pointer(path, 'prefixItems', place)));
  const rest =
    items === false || max <= heads.length ? undefined : context.convert(items, pointer(path, 'items'));
  const members = itemsRule({ heads, rest, min, max }, context);
  return rules.define('array-of', `"[" ${values.space()} ${members} "]"`);
}

type Items = { heads: readonly string[]; rest: string | undefined; min: number; max: number };

/** From the end to the beginning: each fixed item may be the last one once there are enough. */
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

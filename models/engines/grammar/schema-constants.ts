import { factoredTexts } from './factored-texts.ts';
import { isSchemaObject, type SchemaContext, type SchemaObject } from './schema-context.ts';

/** The constants that satisfy the keywords beside them. */
export function constantsRule(schema: SchemaObject, path: string, context: SchemaContext): string {
  const values: unknown[] = Array.isArray(schema['enum']) ? schema['enum'] : [];
  const fitting = values.filter((value) => hasType(value, schema) && isWithin(value, schema, path, context));
  if (fitting.length > 0) {
    return context.rules.define(
      'constant',
      factoredTexts(
        fitting.map((value) => JSON.stringify(value)),
        context.rules,
      ),
    );
  }
  context.refuse('enum', path, 'no value matches');
  return context.values.value();
}

export function hasType(value: unknown, { type }: SchemaObject): boolean {
  return type === undefined || [type].flat().some((name) => isOfType(value, name));
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'null') return value === null;
  if (type === 'object') return isSchemaObject(value);
  return typeof value === type;
}

type Bound = (value: number, bound: number) => boolean;

const NUMBERS: Readonly<Record<string, Bound>> = {
  minimum: (value, bound) => value >= bound,
  maximum: (value, bound) => value <= bound,
  exclusiveMinimum: (value, bound) => value > bound,
  exclusiveMaximum: (value, bound) => value < bound,
};
const LENGTHS: Readonly<Record<string, Bound>> = {
  minLength: (value, bound) => value >= bound,
  maxLength: (value, bound) => value <= bound,
};
const UNTRIED = {
  number: ['multipleOf'],
  string: ['pattern', 'format'],
  object: [
    'properties',
    'required',
    'additionalProperties',
    'minProperties',
    'maxProperties',
    'propertyNames',
  ],
  array: ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems'],
} as const;

/** Bounds of numbers and lengths are evaluated; other keywords are rejected by name. */
function isWithin(value: unknown, schema: SchemaObject, path: string, context: SchemaContext): boolean {
  if (value === null || typeof value === 'boolean') return true;
  const kind = Array.isArray(value) ? 'array' : typeof value;
  for (const keyword of Object.hasOwn(UNTRIED, kind) ? UNTRIED[kind as keyof typeof UNTRIED] : []) {
    if (schema[keyword] !== undefined) context.refuse(keyword, path, 'it is combined with constants');
  }
  if (typeof value === 'number') return keeps(value, schema, NUMBERS);
  return typeof value !== 'string' || keeps([...value].length, schema, LENGTHS);
}

function keeps(value: number, schema: SchemaObject, bounds: Readonly<Record<string, Bound>>): boolean {
  return Object.entries(bounds).every(([keyword, isKept]) => {
    const bound = schema[keyword];
    return typeof bound !== 'number' || isKept(value, bound);
  });
}

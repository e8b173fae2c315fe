import type { Allowed } from './loop/allowed-actions.ts';

export type Decision =
  | { action: 'search'; thought: string; queries: string[] }
  | { action: 'read'; thought: string; sources: number[] }
  | { action: 'docs'; thought: string; query: string }
  | { action: 'calculate'; thought: string; expression: string }
  | { action: 'code'; thought: string; task: string }
  | { action: 'tool'; thought: string; tool: string; aim: string }
  | { action: 'answer'; thought: string; confidence: 'full' | 'partial' };

export type ExtractedFacts = { facts: { quote: string; fact: string }[] };

type Schema = { readonly [keyword: string]: unknown };

const text = (maxLength: number, minLength = 1): Schema => ({ type: 'string', minLength, maxLength });
const list = (items: Schema, maxItems: number, minItems = 1): Schema => ({
  type: 'array',
  items,
  minItems,
  maxItems,
});

function object(properties: Record<string, Schema>): Schema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/** Only allowed actions can be expressed: a source is one of the listed numbers, so the model cannot write a URL. */
export function decisionSchema(allowed: Allowed, thoughtLength = 240): Schema {
  const act = (name: Decision['action'], properties: Record<string, Schema>): Schema =>
    object({ thought: text(thoughtLength), action: { const: name }, ...properties });
  return {
    oneOf: [
      ...(allowed.search ? [act('search', { queries: list(text(80, 2), 3) })] : []),
      ...(allowed.read.length > 0 ? [act('read', { sources: list({ enum: allowed.read }, 3) })] : []),
      ...(allowed.docs ? [act('docs', { query: text(120, 2) })] : []),
      ...(allowed.calculate ? [act('calculate', { expression: text(120) })] : []),
      ...(allowed.code ? [act('code', { task: text(300, 4) })] : []),
      ...(allowed.tools.length > 0
        ? [act('tool', { tool: { enum: allowed.tools.map(({ name }) => name) }, aim: text(160, 2) })]
        : []),
      ...(allowed.answer ? [act('answer', { confidence: { enum: ['full', 'partial'] } })] : []),
    ],
  };
}

export const standaloneSchema = object({ question: text(200, 2) });
export const queriesSchema = object({ queries: list(text(80, 2), 3) });
/** The quote comes first, so that the fact is written from it. */
export const factsSchema = object({ facts: list(object({ quote: text(160), fact: text(200) }), 4, 0) });

/** Whether a value matches its schema. Supports only the keywords used above, the only ones that models are given. */
export function fits(schema: Schema, value: unknown): boolean {
  if (Array.isArray(schema['oneOf'])) return schema['oneOf'].some((each) => fits(each as Schema, value));
  if ('const' in schema) return value === schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'].includes(value);
  if (schema['type'] === 'string')
    return typeof value === 'string' && isBetween(value.length, schema, 'Length');
  if (schema['type'] === 'array') {
    if (!Array.isArray(value) || !isBetween(value.length, schema, 'Items')) return false;
    return value.every((item) => fits(schema['items'] as Schema, item));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const properties = schema['properties'] as Record<string, Schema>;
  const names = Object.keys(properties);
  if (Object.keys(value).length !== names.length) return false;
  return names.every((name) => fits(properties[name] ?? {}, (value as Record<string, unknown>)[name]));
}

function isBetween(size: number, schema: Schema, what: 'Length' | 'Items'): boolean {
  const min = (schema[`min${what}`] as number | undefined) ?? 0;
  const max = (schema[`max${what}`] as number | undefined) ?? Infinity;
  return size >= min && size <= max;
}

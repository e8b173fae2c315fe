import type { TSchema } from '../../src/api/schema.ts';

export type Texts = Record<string, string | string[]>;

type Properties = Record<string, { type?: string; items?: { type?: string } }>;

/** A query is all text. Numbers, booleans and lists are converted according to the schema, which validates the rest. */
export function readQuery(schema: TSchema, query: Texts): Record<string, unknown> {
  const properties = (schema as { properties?: Properties }).properties ?? {};
  const entries = Object.entries(query).map(([name, value]) => [name, read(properties[name], value)]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

function read(property: Properties[string] | undefined, value: string | string[]): unknown {
  if (property?.type === 'array') return [value].flat();
  if (Array.isArray(value)) return value;
  if (property?.type === 'integer' || property?.type === 'number')
    return /^-?\d/.test(value) ? Number(value) : value;
  if (property?.type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}

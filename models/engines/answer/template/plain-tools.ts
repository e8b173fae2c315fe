import type { ToolDefinition } from '../../../../src/runtime/engine.ts';
import { isSchemaObject, type SchemaObject } from '../../grammar/schema-context.ts';

/** For templates that cannot render every schema: one type for each value, and a description for everything. */
export function plainTools(tools: readonly ToolDefinition[]): ToolDefinition[] {
  return tools.map((tool) => ({
    ...tool,
    description: tool.description ?? '',
    parameters: { properties: {}, ...plain(tool.parameters), type: 'object' },
  }));
}

function plain(schema: unknown): SchemaObject {
  if (!isSchemaObject(schema)) return { type: 'string', description: '' };
  const { anyOf, oneOf, allOf, ...rest } = schema;
  const [first] = [anyOf, oneOf, allOf].flatMap((some): unknown[] => (Array.isArray(some) ? some : []));
  const own: SchemaObject = isSchemaObject(first) ? { ...first, ...rest } : rest;
  const { properties, items } = own;
  const named = isSchemaObject(properties) ? Object.entries(properties) : [];
  return {
    ...own,
    type: typeOf(own),
    description: own['description'] ?? '',
    ...(named.length > 0 && {
      properties: Object.fromEntries(named.map(([name, value]) => [name, plain(value)])),
    }),
    ...(typeOf(own) === 'array' && { items: plain(items) }),
    ...(typeOf(own) === 'object' && { additionalProperties: plain(undefined) }),
  };
}

function typeOf({ type, properties, items }: SchemaObject): string {
  const known = [type].flat().find((one) => typeof one === 'string' && one !== 'null');
  return typeof known === 'string' ? known : properties ? 'object' : items ? 'array' : 'string';
}

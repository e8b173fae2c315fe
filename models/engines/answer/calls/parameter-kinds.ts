import type { ToolDefinition } from '../../../../src/runtime/engine.ts';
import { isCountedLong } from '../../grammar/json-strings.ts';
import { alternativesOf } from '../../grammar/schema-alternatives.ts';
import { isSchemaObject, type SchemaObject } from '../../grammar/schema-context.ts';

/**
 * How a value is written when each argument stands alone: `text` verbatim, `nullable` the same with null for nothing,
 * `json` as JSON, and `any` as whichever it looks like.
 */
export type ParameterKind = 'text' | 'nullable' | 'json' | 'any';

/** The kind of an argument, or of the value at a path in it. */
export type ParameterKinds = (tool: string, ...path: string[]) => ParameterKind;

export function parameterKinds(tools: readonly ToolDefinition[]): ParameterKinds {
  const known = new Map(tools.map((tool) => [tool.name, tool]));
  return (name, ...path) => {
    const tool = known.get(name);
    return tool === undefined ? 'any' : kindOf(schemaAt(tool.parameters, path, tool.parameters), tool);
  };
}

/** The first alternative with such a part; the items of a list are its part of any name. */
function schemaAt(schema: unknown, path: readonly string[], root: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return schema;
  for (const { properties, items } of leavesOf(schema, root)) {
    if (isSchemaObject(properties) && Object.hasOwn(properties, key))
      return schemaAt(properties[key], rest, root);
    if (items !== undefined) return schemaAt(items, rest, root);
  }
  return undefined;
}

export function kindOf(schema: unknown, { parameters, isStrict = false }: ToolDefinition): ParameterKind {
  const leaves = leavesOf(schema, parameters);
  const types = new Set(leaves.flatMap(typesOf));
  if (!types.has('string') && !types.has('any')) return 'json';
  // Its length can only be counted between quotation marks.
  if (isStrict && leaves.some(isCountedLong)) return 'json';
  if (types.size === 1 && types.has('string')) return 'text';
  if (types.size === 2 && types.has('null') && types.has('string')) return 'nullable';
  return isStrict ? 'json' : 'any';
}

/**
 * The alternatives of a schema, without choices and references; a schema that nothing can satisfy yields the empty
 * schema.
 */
export function leavesOf(schema: unknown, root: unknown): readonly SchemaObject[] {
  const leaves = alternativesOf(schema, '#', { root, refuse: () => undefined });
  return leaves.length > 0 ? leaves : [{}];
}

function typesOf({ type, enum: values, format }: SchemaObject): string[] {
  if (Array.isArray(values)) return values.map((one) => (one === null ? 'null' : typeof one));
  if (type !== undefined) return [type].flat().map(String);
  return format === undefined ? ['any'] : ['string'];
}

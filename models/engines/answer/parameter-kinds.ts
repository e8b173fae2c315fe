import type { ToolDefinition } from '../../../src/runtime/engine.ts';
import { resolveReference } from '../grammar/json-schema.ts';
import { isSchemaObject, type SchemaObject } from '../grammar/schema-context.ts';

/**
 * How a value stands where each argument has a place of its own: `text` as it is, `nullable` so too, with null for
 * nothing, `json` as JSON, and `any` as either, whichever it looks like.
 */
export type ParameterKind = 'text' | 'nullable' | 'json' | 'any';

/** Of an argument, or of what a path leads to in it. */
export type ParameterKinds = (tool: string, ...path: string[]) => ParameterKind;

/** The rules of strings that hold only where a string stands in quotation marks. */
const BOUNDS = ['pattern', 'minLength', 'maxLength'];
const DEPTH_MAX = 16;

export function parameterKinds(tools: readonly ToolDefinition[]): ParameterKinds {
  const known = new Map(tools.map((tool) => [tool.name, tool]));
  return (name, ...path) => {
    const tool = known.get(name);
    return tool === undefined ? 'any' : kindOf(schemaAt(tool.parameters, path, tool.parameters), tool);
  };
}

/** The first alternative that has such a part; the items of a list are its part of any name. */
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
  const isBounded = leaves.some((leaf) => BOUNDS.some((bound) => leaf[bound] !== undefined));
  if (isBounded) return 'json';
  if (types.size === 1 && types.has('string')) return 'text';
  if (types.size === 2 && types.has('null') && types.has('string')) return 'nullable';
  return isStrict ? 'json' : 'any';
}

/** The alternatives of a schema, without choices and references. */
export function leavesOf(schema: unknown, root: unknown, depth = 0): SchemaObject[] {
  if (!isSchemaObject(schema) || depth > DEPTH_MAX) return [{}];
  const { $ref: target, anyOf, oneOf, allOf } = schema;
  const inner = (parts: unknown[]) => parts.flatMap((part) => leavesOf(part, root, depth + 1));
  if (typeof target === 'string') return inner([isSchemaObject(root) ? resolveReference(target, root) : {}]);
  const choices = anyOf ?? oneOf ?? allOf;
  return Array.isArray(choices) && choices.length > 0 ? inner(choices) : [schema];
}

function typesOf({ type, const: value, enum: values, format }: SchemaObject): string[] {
  const constants = value === undefined ? values : [value];
  if (Array.isArray(constants)) return constants.map((one) => (one === null ? 'null' : typeof one));
  if (type !== undefined) return [type].flat().map(String);
  return format === undefined ? ['any'] : ['string'];
}

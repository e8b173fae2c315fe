import type { ToolDefinition } from '../../../src/runtime/engine.ts';
import { resolveReference } from '../grammar/json-schema.ts';
import { isSchemaObject, type SchemaObject } from '../grammar/schema-context.ts';

/**
 * How a value stands where each argument has a place of its own: `text` as it is, `nullable` so too, with null for
 * nothing, `json` as JSON, and `any` as either, whichever it looks like.
 */
export type ParameterKind = 'text' | 'nullable' | 'json' | 'any';

export type ParameterKinds = (tool: string, parameter: string) => ParameterKind;

/** The rules of strings that hold only where a string stands in quotation marks. */
const BOUNDS = ['pattern', 'minLength', 'maxLength'];
const DEPTH_MAX = 16;

export function parameterKinds(tools: readonly ToolDefinition[]): ParameterKinds {
  const known = new Map(tools.map((tool) => [tool.name, tool]));
  return (name, parameter) => {
    const tool = known.get(name);
    return tool === undefined ? 'any' : kindOf(schemaOf(tool, parameter), tool);
  };
}

function schemaOf({ parameters }: ToolDefinition, parameter: string): unknown {
  const properties = isSchemaObject(parameters) ? parameters['properties'] : undefined;
  return isSchemaObject(properties) && Object.hasOwn(properties, parameter)
    ? properties[parameter]
    : undefined;
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

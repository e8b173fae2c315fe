import type { ToolDefinition } from '../../../../src/runtime/engine.ts';
import { schemaContext } from '../../grammar/json-schema.ts';
import { textUntil } from '../../grammar/json-strings.ts';
import { literal, oneOf, type Rules } from '../../grammar/rules.ts';
import {
  isSchemaObject,
  pointer,
  type SchemaContext,
  type SchemaObject,
} from '../../grammar/schema-context.ts';
import { textBefore } from '../../grammar/text-before.ts';
import type { ParameterFormat } from './parameter-format.ts';
import { kindOf, leavesOf } from './parameter-kinds.ts';
import { textRule } from './text-rule.ts';

type Parameter = { pair: string; isRequired: boolean };
type Options = {
  tool: ToolDefinition;
  format: ParameterFormat;
  rules: Rules;
  param: string;
  /** What follows a name, if that is neither text nor JSON. */
  ruleOf?: (options: NamedValue) => string;
};

const PARAMETERS_MAX = 64;

/** Arguments written one by one in the order of the tool's schema, from after its name to the end of the last. */
export function parametersRule({ tool, format, rules, param, ruleOf }: Options): string {
  const { isStrict = false, parameters } = tool;
  const schema: SchemaObject = { ...(isSchemaObject(parameters) && parameters), type: 'object' };
  const context = schemaContext(schema, rules, { param, isLoose: !isStrict });
  // Constraints on the object as a whole are rejected, as for JSON arguments.
  if (isStrict) context.convert(schema, '#');
  const properties = isSchemaObject(schema['properties']) ? schema['properties'] : {};
  const required: unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const names = [...new Set([...Object.keys(properties), ...required])].filter(
    (name): name is string => typeof name === 'string',
  );
  if (names.length === 0) return ruleOf ? literal(format.none) : freeRule(schema, format, rules);
  const known = names.map((name): Parameter => {
    const value = Object.hasOwn(properties, name) ? properties[name] : true;
    const path = pointer('#', 'properties', name);
    const options = { value, path, tool, format, context };
    const rest = ruleOf ? `${literal(format.middle)} ${ruleOf({ ...options, name })}` : pairRule(options);
    return {
      pair: rules.define('parameter', `${literal(name)} ${rest}`),
      isRequired: required.includes(name),
    };
  });
  return chain(known, format, rules);
}

/** As for JSON: two rules each, one for when nothing has been written yet. */
function chain(known: readonly Parameter[], { none, first, next, last }: ParameterFormat, rules: Rules) {
  let more = literal(last);
  let begin = literal(none);
  for (const { pair, isRequired } of known.toReversed()) {
    const opened = `${literal(first)} ${pair} ${more}`;
    begin = rules.define('first-parameter', isRequired ? opened : `${opened} | ${begin}`);
    const following = `${literal(next)} ${pair} ${more}`;
    more = rules.define('more-parameters', isRequired ? following : `${following} | ${more}`);
  }
  return begin;
}

/** A tool without declared arguments may receive any, unless it states that it takes none. */
function freeRule({ additionalProperties }: SchemaObject, format: ParameterFormat, rules: Rules): string {
  const { none, first, middle, end, next, last } = format;
  if (additionalProperties === false) return literal(none);
  const pair = rules.define(
    'any-parameter',
    `[a-zA-Z0-9_.-]{1,64} ${literal(middle)} ${textBefore(end, rules)}`,
  );
  const more = `(${literal(next)} ${pair}){0,${PARAMETERS_MAX - 1}}`;
  return rules.define('parameters', `${literal(first)} ${pair} ${more} ${literal(last)} | ${literal(none)}`);
}

export type NamedValue = Value & { name: string };

type Value = {
  value: unknown;
  path: string;
  tool: ToolDefinition;
  format: ParameterFormat;
  context: SchemaContext;
};

/** What is between a name and its value, and the value; by type, if JSON has its own tag. */
function pairRule(options: Value): string {
  const { value, path, tool, format, context } = options;
  const { middle, json, end } = format;
  if (json === undefined) return `${literal(middle)} ${valueRule(options)}`;
  const asJson = `${textRule(json)} ${context.convert(value, path)} ${literal(end)}`;
  const kind = kindOf(value, tool);
  if (kind === 'json') return asJson;
  const asText = `${literal(middle)} ${valueRule(options)}`;
  return kind === 'text' ? asText : oneOf([asText, asJson]);
}

/** A value and what ends it. */
export function valueRule({ value, path, tool, format: { end }, context }: Value): string {
  const { rules } = context;
  const kind = kindOf(value, tool);
  if (kind === 'json') return `${context.convert(value, path)} ${literal(end)}`;
  if (kind === 'any') return textBefore(end, rules);
  const alternatives = leavesOf(value, tool.parameters).flatMap((leaf) =>
    textRules(leaf, path, end, context),
  );
  if (alternatives.length > 0) return rules.define('text-value', oneOf([...new Set(alternatives)]));
  context.refuse('enum', path, `it cannot be followed by ${JSON.stringify(end)}`);
  return textBefore(end, rules);
}

function textRules(leaf: SchemaObject, path: string, end: string, context: SchemaContext): string[] {
  const { type, enum: values } = leaf;
  if (Array.isArray(values)) {
    const texts = values.map((one) => (one === null ? 'null' : String(one)));
    return texts.filter((text) => !text.includes(end)).map((text) => literal(text + end));
  }
  const types = [type].flat();
  const isText = types.some((one) => one !== 'null');
  return [
    ...(isText ? [textUntil(end, leaf, path, context)] : []),
    ...(types.includes('null') ? [literal(`null${end}`)] : []),
  ];
}

import type { JsonSchema } from '../../../../../src/runtime/engine.ts';
import { literal, oneOf, type Rules } from '../../../grammar/rules.ts';
import { textUntil } from '../../../grammar/json-strings.ts';
import { isSchemaObject, pointer, type SchemaContext } from '../../../grammar/schema-context.ts';
import { textBefore } from '../../../grammar/text-before.ts';
import type { Notation } from '../call-format.ts';
import { parametersRule } from '../parameter-grammar.ts';
import { leavesOf } from '../parameter-kinds.ts';
import { createLiteralReader } from './literal-reader.ts';
import type { NamedFormat } from './named-format.ts';

const QUOTE = '<|"|>';
const PARAMETERS = { first: '', none: '', middle: ':', end: '', next: ',', last: '' };
const NAME = '[a-zA-Z0-9_-]{1,64}';

/** Like JSON, but with a token for quotation marks and with unquoted names. */
const dictionary: Notation = {
  marks: [QUOTE],
  createReader: () =>
    createLiteralReader({
      quotes: [QUOTE],
      hasEscapes: false,
      assign: ':',
      close: '}',
      words: { true: 'true', false: 'false', null: 'null' },
    }),
  rule(options) {
    const { tool } = options;
    const rule = parametersRule({
      ...options,
      tool: { ...tool, parameters: sorted(tool.parameters) },
      format: PARAMETERS,
      ruleOf: ({ value, path, tool, context }) => valueRule({ value, path, root: tool.parameters, context }),
    });
    return `${rule} "}"`;
  },
  write: (args) => {
    const pairs = Object.entries(args).map(([name, value]) => `${name}:${written(value)}`);
    return `${pairs.join(',')}}`;
  },
};

export const gemma4: NamedFormat = {
  inTemplate: ['<|tool_call>call:', '<tool_call|>'],
  calls: [
    {
      before: '<|tool_call>call:',
      middle: '{',
      between: '<tool_call|><|tool_call>call:',
      after: '<tool_call|>',
      notation: dictionary,
    },
  ],
};

/** As the template writes earlier calls: sorted by name, whatever the order of the schema. */
function sorted(schema: JsonSchema): JsonSchema {
  if (!isSchemaObject(schema) || !isSchemaObject(schema['properties'])) return schema;
  const properties = Object.entries(schema['properties']).toSorted(byName);
  return { ...schema, properties: Object.fromEntries(properties) };
}

function byName([one]: [string, unknown], [other]: [string, unknown]): number {
  const [first, second] = [one.toLowerCase(), other.toLowerCase()];
  return first < second ? -1 : first > second ? 1 : 0;
}

function written(value: unknown): string {
  if (typeof value === 'string') return QUOTE + value + QUOTE;
  if (Array.isArray(value)) return `[${value.map(written).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, inner]) => `${key}:${written(inner)}`)
    .join(',')}}`;
}

type Value = { value: unknown; path: string; root: unknown; context: SchemaContext };

function valueRule({ value, path, root, context }: Value): string {
  const rules = leavesOf(value, root).map((leaf) => leafRule({ value: leaf, path, root, context }));
  return oneOf([...new Set(rules)]);
}

function leafRule({ value, path, root, context }: Value): string {
  const { rules } = context;
  const leaf = isSchemaObject(value) ? value : {};
  const { type, const: constant, enum: values, items, properties } = leaf;
  const constants = constant === undefined ? values : [constant];
  if (Array.isArray(constants)) return oneOf(constants.map((one: unknown) => literal(written(one))));
  if (type === 'string') return `${literal(QUOTE)} ${textUntil(QUOTE, leaf, path, context)}`;
  if (type === 'array') {
    const item = valueRule({ value: items ?? {}, path: pointer(path, 'items'), root, context });
    return listRule({ ends: ['[', ']'], item, min: leaf['minItems'], max: leaf['maxItems'], rules });
  }
  if (type === 'object' && isSchemaObject(properties))
    return objectRule({ value: leaf, path, root, context });
  if (typeof type === 'string' && type !== 'object') return context.convert(leaf, path);
  return anyRule(rules);
}

/** Its properties in order, optional ones included. */
function objectRule({ value, path, root, context }: Value): string {
  const { rules } = context;
  const properties = isSchemaObject(value) && isSchemaObject(value['properties']) ? value['properties'] : {};
  const pairs = Object.entries(properties)
    .toSorted(byName)
    .map(([name, inner]) => {
      const at = pointer(path, 'properties', name);
      return rules.define(
        'pair',
        `${literal(`${name}:`)} ${valueRule({ value: inner, path: at, root, context })}`,
      );
    });
  if (pairs.length === 0) return '"{}"';
  const required: unknown = isSchemaObject(value) ? value['required'] : undefined;
  const isWhole = Array.isArray(required) && Object.keys(properties).every((name) => required.includes(name));
  if (isWhole) return `"{" ${pairs.join(' "," ')} "}"`;
  return listRule({ ends: ['{', '}'], item: oneOf(pairs), max: pairs.length, rules });
}

type List = { ends: readonly [string, string]; item: string; min?: unknown; max?: unknown; rules: Rules };

function listRule({ ends: [open, close], item, min, max, rules }: List): string {
  const least = typeof min === 'number' ? min : 0;
  const most = typeof max === 'number' ? max : Infinity;
  const next = rules.define('next-item', `"," ${item}`);
  const items = `${item} ${rules.repeat(next, Math.max(0, least - 1), most - 1)}`;
  const all = most === 0 ? '""' : least > 0 ? items : `(${items})?`;
  return rules.define('list', `${literal(open)} ${all} ${literal(close)}`);
}

function textRule(rules: Rules): string {
  return rules.define('quoted', `${literal(QUOTE)} ${rules.define('unquoted', textBefore(QUOTE, rules))}`);
}

function anyRule(rules: Rules): string {
  const any = rules.reserve('any-literal');
  const scalar = '"true" | "false" | "null" | "-"? [0-9]{1,16} ("." [0-9]{1,16})?';
  const list = `"[" (${any} ("," ${any})*)? "]"`;
  const object = `"{" (${NAME} ":" ${any} ("," ${NAME} ":" ${any})*)? "}"`;
  rules.fill(any, `${textRule(rules)} | ${scalar} | ${list} | ${object}`);
  return any;
}

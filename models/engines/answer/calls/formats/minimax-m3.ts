import { literal } from '../../../grammar/rules.ts';
import { isSchemaObject, pointer, type SchemaContext } from '../../../grammar/schema-context.ts';
import type { Notation } from '../call-format.ts';
import { parametersRule, valueRule } from '../parameter-grammar.ts';
import { leavesOf } from '../parameter-kinds.ts';
import type { ToolDefinition } from '../../../../../src/runtime/engine.ts';
import { createElementReader } from './element-reader.ts';
import type { NamedFormat } from './named-format.ts';

const MARK = ']<]minimax[>[';
const PARAMETERS = { first: `${MARK}<`, none: '', middle: '>', end: '', next: `${MARK}<`, last: '' };

/** Every value is an element named after it, and its parts are nested elements. */
const elements: Notation = {
  marks: [MARK],
  createReader: (kindOfPath) => createElementReader(MARK, kindOfPath),
  rule: (options) =>
    parametersRule({
      ...options,
      format: PARAMETERS,
      ruleOf: ({ name, value, path, tool, context }) => elementRule({ name, value, path, tool, context }),
    }),
  write: (args) => written(args),
};

export const minimaxM3: NamedFormat = {
  inTemplate: [MARK, '<invoke name="'],
  calls: [
    {
      before: `${MARK}<tool_call>\n${MARK}<invoke name="`,
      middle: '">',
      between: `${MARK}</invoke>\n${MARK}<invoke name="`,
      after: `${MARK}</invoke>\n${MARK}</tool_call>`,
      trigger: `${MARK}<tool_call>`,
      notation: elements,
    },
  ],
};

function written(value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => element('item', item)).join('');
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' ? value : JSON.stringify(value);
  return Object.entries(value)
    .filter(([, inner]) => inner !== null)
    .map(([name, inner]) => element(name, inner))
    .join('');
}

function element(name: string, value: unknown): string {
  return `${MARK}<${name}>${written(value)}${MARK}</${name}>`;
}

type Element = { name: string; value: unknown; path: string; tool: ToolDefinition; context: SchemaContext };

/** The content of an element, and its end tag. */
function elementRule({ name, value, path, tool, context }: Element): string {
  const { rules } = context;
  const close = `${MARK}</${name}>`;
  const leaves = leavesOf(value, tool.parameters);
  const [leaf] = leaves;
  const isOne = leaves.length === 1 && leaf !== undefined;
  const within = (inner: string, schema: unknown, at: string) =>
    `${literal(`${MARK}<${inner}>`)} ${elementRule({ name: inner, value: schema, path: at, tool, context })}`;
  if (isOne && leaf['type'] === 'array') {
    const item = rules.define('item', within('item', leaf['items'] ?? {}, pointer(path, 'items')));
    const { minItems: min, maxItems: max } = leaf;
    const bounds = [min, max].map((bound) => (typeof bound === 'number' ? bound : undefined));
    return `${rules.repeat(item, bounds[0] ?? 0, bounds[1])} ${literal(close)}`;
  }
  if (isOne && leaf['type'] === 'object' && isSchemaObject(leaf['properties'])) {
    const required: unknown[] = Array.isArray(leaf['required']) ? leaf['required'] : [];
    const parts = Object.entries(leaf['properties']).map(([key, inner]) => {
      const part = rules.define('element', within(key, inner, pointer(path, 'properties', key)));
      return required.includes(key) ? part : `${part}?`;
    });
    return `${parts.join(' ')} ${literal(close)}`;
  }
  return valueRule({ value, path, tool, format: { ...PARAMETERS, end: close }, context });
}

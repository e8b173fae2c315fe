import { literal, oneOf } from '../../../grammar/rules.ts';
import type { SchemaObject } from '../../../grammar/schema-context.ts';
import type { Notation } from '../call-format.ts';
import { leavesOf } from '../parameter-kinds.ts';
import { parametersRule, type NamedValue } from '../parameter-grammar.ts';
import { createLiteralReader } from './literal-reader.ts';
import type { NamedFormat } from './named-format.ts';

const PARAMETERS = { first: '', none: '', middle: '=', end: '', next: ', ', last: '' };

/** Python arguments, up to the closing bracket. */
const python: Notation = {
  marks: [],
  createReader: () =>
    createLiteralReader({
      quotes: ['"', "'"],
      hasEscapes: true,
      assign: '=',
      close: ')',
      words: { True: 'true', False: 'false', None: 'null', true: 'true', false: 'false', null: 'null' },
    }),
  rule(options) {
    const ruleOf = ({ value, path, tool, context }: NamedValue) => {
      const leaves = leavesOf(value, tool.parameters);
      return oneOf([context.convert(value, path), ...new Set(leaves.flatMap(ownWords))]);
    };
    return `${parametersRule({ ...options, format: PARAMETERS, ruleOf })} ")"`;
  },
  write: (args) => {
    const pairs = Object.entries(args).map(([name, value]) => `${name}=${inPython(value)}`);
    return `${pairs.join(', ')})`;
  },
};

/** LFM 2: calls as a Python list. */
export const lfm2: NamedFormat = {
  inTemplate: ['List of tools: ', '<|im_start|>'],
  calls: [
    {
      before: '<|tool_call_start|>[',
      middle: '(',
      between: ', ',
      after: ']<|tool_call_end|>',
      notation: python,
    },
  ],
};

/** What Python writes differently from JSON. */
function ownWords({ type, enum: values, pattern, format }: SchemaObject): string[] {
  if (Array.isArray(values)) {
    return values.filter((one) => typeof one === 'string').map((one) => literal(`'${one}'`));
  }
  if (type === 'boolean') return ['"True"', '"False"'];
  if (type === 'null') return ['"None"'];
  const isFree = type === 'string' && pattern === undefined && format === undefined;
  return isFree ? [`"'" ([^'\\\\\\n] | "\\\\" [^\\n])* "'"`] : [];
}

function inPython(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(inPython).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const pairs = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${inPython(inner)}`);
  return `{${pairs.join(', ')}}`;
}

import type { Notation } from '../call-format.ts';
import { leavesOf } from '../parameter-kinds.ts';
import { parametersRule } from '../parameter-grammar.ts';
import { createLiteralReader } from './literal-reader.ts';
import type { NamedFormat } from './named-format.ts';

const PARAMETERS = { first: '', none: '', middle: '=', end: '', next: ', ', last: '' };

/** Arguments as Python has them, up to the bracket that ends them. */
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
    const ruleOf: NonNullable<Parameters<typeof parametersRule>[0]['ruleOf']> = ({
      value,
      path,
      tool,
      context,
    }) => {
      const types = new Set(leavesOf(value, tool.parameters).map(({ type }) => type));
      const words = types.has('boolean') ? '"True" | "False"' : types.has('null') ? '"None"' : undefined;
      const asJson = context.convert(value, path);
      return words === undefined ? asJson : `(${asJson} | ${words})`;
    };
    return `${parametersRule({ ...options, format: PARAMETERS, ruleOf })} ")"`;
  },
  write: (args) => {
    const pairs = Object.entries(args).map(([name, value]) => `${name}=${inPython(value)}`);
    return `${pairs.join(', ')})`;
  },
};

/** LFM 2: calls as a list of Python. */
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

function inPython(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(inPython).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const pairs = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${inPython(inner)}`);
  return `{${pairs.join(', ')}}`;
}

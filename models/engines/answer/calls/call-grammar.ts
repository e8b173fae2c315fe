import type { ToolDefinition } from '../../../../src/runtime/engine.ts';
import { schemaRule } from '../../grammar/json-schema.ts';
import { literal, oneOf, type Rules } from '../../grammar/rules.ts';
import { isSchemaObject } from '../../grammar/schema-context.ts';
import type { CallFormat } from './call-format.ts';
import { matchText, withName } from './call-text.ts';
import { parametersRule } from './parameter-grammar.ts';
import { textRule } from './text-rule.ts';

const CALLS_MAX = 16;

export type CallGrammar = {
  format: CallFormat;
  tools: readonly ToolDefinition[];
  /** Whether several calls are allowed. */
  isParallel: boolean;
  /** The part of the start that was already written. */
  written: string;
};

/** The grammar of calls from what was written to their end, with arguments that match the tools' schemas. */
export function callsRule({ format, tools, isParallel, written }: CallGrammar, rules: Rules): string {
  const { before, middle, between, after, ending } = format;
  const bodies = tools.map((tool, index) => ({
    name: tool.name,
    args: argumentsRule({ tool, index, format, rules }),
  }));
  const call = (prefix: string, text: string) =>
    oneOf(
      bodies.flatMap(({ name, args }) => {
        const match = matchText(prefix + name + withName(middle, name), text);
        return match ? [`${textRule(match.left ?? '')} ${args}`] : [];
      }),
    );
  const first = rules.define('first-call', call(before.trimStart(), written));
  const more =
    isParallel && between !== undefined
      ? `(${rules.define('next-call', call(between, ''))}){0,${CALLS_MAX - 1}}`
      : '""';
  const end = ending === undefined ? '' : ` (${literal(ending)})?`;
  return rules.define('calls', `${first} ${more} ${textRule(after)}${end}`);
}

/** Unless the tool is strict, the model decides what a grammar cannot enforce of its schema. */
function argumentsRule({ tool, index, format, rules }: Arguments): string {
  const { parameters, isStrict = false } = tool;
  const param = `tools[${index}].function.parameters`;
  if (format.notation) return format.notation.rule({ tool, rules, param });
  if (format.parameters) return parametersRule({ tool, format: format.parameters, rules, param });
  const schema = isSchemaObject(parameters) ? { ...parameters, type: 'object' } : { type: 'object' };
  return schemaRule(schema, rules, { param, isLoose: !isStrict });
}

type Arguments = { tool: ToolDefinition; index: number; format: CallFormat; rules: Rules };

import type { AnswerFormat, ChatPrompt, ToolDefinition } from '../../../src/runtime/engine.ts';
import { Failure } from '../../../src/base/errors.ts';
import { checkGbnf, GbnfError } from '../grammar/gbnf.ts';
import { schemaRule } from '../grammar/json-schema.ts';
import { createRules, literal } from '../grammar/rules.ts';
import type { ParserOptions } from './answer-parser.ts';
import { callsRule } from './calls/call-grammar.ts';
import { fitsSomeCall } from './calls/call-trigger.ts';
import type { ChatTemplate } from './template/chat-template.ts';
import { continuedPart } from './template/continuation.ts';
import { parameterKinds } from './calls/parameter-kinds.ts';
import type { AnswerTags } from './reasoning/reasoning-tags.ts';
import { planReasoning } from './reasoning/reasoning.ts';

/** What is decided about an answer before its first token. */
export type AnswerPlan = Pick<ParserOptions, 'thinking' | 'tags' | 'calls' | 'continues'> & {
  /** Appended to the rendered prompt. */
  suffix: string;
  /** Reasoning ends after this many tokens. */
  thoughtTokensMax: number;
  /** The grammar of the whole answer. */
  grammar: string | undefined;
  /** The grammar of a call that the model started by itself, given the part that was already written. */
  callGrammar: (written: string) => string;
};

/** Throws for a schema that cannot be enforced, so that nothing is generated without its constraint. */
export function planAnswer(prompt: ChatPrompt, rendered: string, template: ChatTemplate): AnswerPlan {
  const { format, toolChoice = 'auto', parallelToolCalls: isParallel = true } = prompt;
  const tools = toolsOf(prompt);
  const names = tools.map(({ name }) => name);
  const several = isParallel && typeof toolChoice === 'string';
  const [usual] = template.calls;
  const callsFrom = (written: string) => ({
    format: template.calls.find((one) => fitsSomeCall(written, [one], names)) ?? usual,
    tools,
    isParallel: several,
    written,
  });
  const callGrammar = (written: string) => {
    const rules = createRules();
    rules.define('root', callsRule(callsFrom(written), rules));
    return rules.text();
  };
  const mustCall = tools.length > 0 && toolChoice !== 'auto';
  const grammar = mustCall ? callGrammar('') : format && formatGrammar(prompt, callsFrom(''), template.tags);
  if (tools.length > 0) callGrammar('');
  const continues = prompt.continues ? continuedPart(prompt.messages.at(-1)) : undefined;
  return {
    ...planReasoning({
      reasoning: prompt.reasoning,
      rendered,
      thinking: template.thinking,
      isBound: !!grammar,
      mustCall,
      continues,
    }),
    calls: tools.length > 0 ? { formats: template.calls, names, kindOf: parameterKinds(tools) } : undefined,
    tags: template.tags,
    grammar,
    continues,
    callGrammar,
  };
}

/** For answers that are plain text. */
export function planText({ format }: ChatPrompt): AnswerPlan {
  return {
    suffix: '',
    thoughtTokensMax: 0,
    thinking: undefined,
    calls: undefined,
    grammar: format && documentGrammar(format),
    callGrammar: () => '',
  };
}

function documentGrammar(format: AnswerFormat): string {
  if (format.type === 'grammar') return checked(format.grammar);
  const rules = createRules();
  const root = rules.reserve('root');
  const schema = format.type === 'schema' ? format.schema : { type: 'object' };
  rules.fill(root, `[ \\n]{0,2} ${schemaRule(schema, rules, { param: 'response_format' })}`);
  return rules.text();
}

/** The tools that may be called: all, none, or the one that is required. */
export function toolsOf({ tools = [], toolChoice = 'auto' }: ChatPrompt): readonly ToolDefinition[] {
  if (toolChoice === 'none') return [];
  return typeof toolChoice === 'string' ? tools : tools.filter(({ name }) => name === toolChoice.name);
}

function checked(grammar: string): string {
  try {
    checkGbnf(grammar);
    return grammar;
  } catch (cause) {
    if (!(cause instanceof GbnfError)) throw cause;
    const message = `The grammar is not valid GBNF: ${cause.message}.`;
    throw new Failure('invalid_value', message, { param: 'grammar', cause });
  }
}

/** With tools, a call may come instead of the answer that the format describes. */
function formatGrammar(
  { format }: ChatPrompt,
  calls: Parameters<typeof callsRule>[0],
  { answer, answerEnd, turn }: AnswerTags = {},
): string {
  if (format?.type === 'grammar') return checked(format.grammar);
  const rules = createRules();
  const root = rules.reserve('root');
  const schema = format?.type === 'schema' ? format.schema : { type: 'object' };
  const document = schemaRule(schema, rules, { param: 'response_format' });
  const call = calls.tools.length > 0 ? ` | ${callsRule(calls, rules)}` : '';
  const marked = (mark: string | undefined) =>
    mark === undefined || turn !== undefined ? '' : `(${literal(mark)})? `;
  const answered = `${marked(answer)}${document} ${marked(answerEnd)}`;
  rules.fill(root, `[ \\n]{0,2} (${answered}${call})`);
  return rules.text();
}

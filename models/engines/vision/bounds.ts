import { Failure } from '../../../src/base/errors.ts';
import type { AnswerPlan } from '../answer/answer-plan.ts';
import { triggersOf } from '../answer/calls/call-trigger.ts';
import { tagTexts } from '../answer/tag-texts.ts';
import { readCosts } from '../grammar/evaluation/evaluation.ts';
import { recursionIn } from '../grammar/recursion.ts';
import { createRules } from '../grammar/rules.ts';
import { textBefore } from '../grammar/text-before.ts';
import type { CompletionOptions } from './library.ts';

type Bounds = Partial<
  Pick<CompletionOptions, 'min_p' | 'grammar' | 'grammar_lazy' | 'grammar_triggers' | 'preserved_tokens'>
>;

/**
 * Excludes tokens that a grammar forbids, which the library may otherwise sample and then crash. Of the rest it drops
 * only those a million times less likely than the most likely.
 */
const LIKELIHOOD_MIN = 1e-6;
/** llama.cpp cannot compile larger ones in reasonable time. */
const LENGTH_MAX = 300_000;
/** The library's number for a word that triggers a grammar. */
const TRIGGER_WORD = 1;

/** The grammar that constrains an answer, from its first token or from the start of a call. */
export function boundsOf(plan: AnswerPlan, controlTexts: readonly string[]): Bounds {
  const marks = tagTexts(plan);
  const preserved = controlTexts.filter((text) => marks.some((mark) => mark.includes(text)));
  const kept = preserved.length > 0 ? { preserved_tokens: preserved } : {};
  if (plan.grammar !== undefined)
    return { ...kept, min_p: LIKELIHOOD_MIN, grammar: safe(afterThought(plan, plan.grammar)) };
  if (!plan.calls) return kept;
  // The grammar is that of the usual format.
  const triggers = plan.calls.formats.slice(0, 1).flatMap((format) => triggersOf(format, []));
  if (triggers.some(({ isAtStart }) => isAtStart)) throw callsLookLikeWords();
  return {
    ...kept,
    min_p: LIKELIHOOD_MIN,
    grammar: safe(plan.callGrammar('')),
    grammar_lazy: true,
    grammar_triggers: triggers.map(({ text }) => ({ type: TRIGGER_WORD, value: text })),
  };
}

/** A grammar applies from the first token, so reasoning before the answer is part of it. */
function afterThought({ thinking }: AnswerPlan, grammar: string): string {
  if (!thinking) return grammar;
  const rules = createRules();
  const root = rules.reserve('root');
  rules.fill(root, `${textBefore(thinking.end, rules, 'thought')} [ \\n]{0,4} answer`);
  return rules.text() + grammar.replace(/^root ::=/m, 'answer ::=');
}

/** The library crashes on a grammar that it cannot parse. */
function safe(grammar: string): string {
  const rule = recursionIn(grammar);
  const why = rule === undefined ? 'it is too large' : 'it is left-recursive';
  if (rule === undefined && grammar.length <= LENGTH_MAX) {
    readCosts(grammar);
    return grammar;
  }
  throw new Failure('unsupported_schema', `The schema cannot be converted to a grammar: ${why}.`, {
    param: 'response_format',
  });
}

function callsLookLikeWords(): Failure {
  return new Failure(
    'unsupported_parameter',
    'The vision engine cannot detect tool calls of this model in a text. Set tool_choice to "required" or "none", or use a text model: svc-chat-v1.',
    { param: 'tools' },
  );
}

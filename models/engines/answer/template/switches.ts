import type { Reasoning } from '../../../../src/runtime/engine.ts';

export type Switches = (reasoning: Reasoning) => Record<string, unknown>;

type Effort = Reasoning['effort'];

/** Templates' names for each effort, the most likely first; "max" only if a template mentions it. */
const WORDS: Readonly<Record<Effort, readonly string[]>> = {
  none: ['none', 'no_think', 'minimal', 'low'],
  minimal: ['minimal', 'low'],
  low: ['low'],
  medium: ['medium', 'high'],
  high: ['high', 'max'],
  xhigh: ['high', 'max'],
};

/** The variables by which templates turn reasoning on and set its effort. */
export function createSwitches(
  source: string,
  renders: (variables: Record<string, unknown>) => boolean,
): Switches {
  const knowsMost = /(["'])max\1/.test(source);
  const known = new Map<Effort, Record<string, unknown>>();
  return ({ effort }) => {
    const found = known.get(effort) ?? firstAccepted(effort);
    known.set(effort, found);
    return found;
  };

  /** Some templates reject words that they do not know. */
  function firstAccepted(effort: Effort): Record<string, unknown> {
    const thinks = effort !== 'none';
    const base = {
      enable_thinking: thinks,
      thinking: thinks,
      thinking_mode: thinks ? 'enabled' : 'disabled',
      ...(!thinks && { thinking_budget: 0 }),
    };
    const words = knowsMost && effort === 'xhigh' ? WORDS[effort].toReversed() : WORDS[effort];
    const choices = words.map((word) => ({ ...base, reasoning_effort: word, thinking_effort: word }));
    return choices.find(renders) ?? base;
  }
}

import type { Dice } from './dice.ts';
import type { ToolDefinition } from '../../../src/runtime/engine.ts';

export type Message = { role: 'system' | 'user' | 'assistant' | 'tool'; content: string };

/** One training sample: the prompt, and the exact answer. */
export type Sample = {
  messages: readonly Message[];
  answer: string;
  tools?: readonly ToolDefinition[];
  /** The answer is spelled letter by letter: tasks about letters are hard with tokens of several letters. */
  isSpelled?: boolean;
  /** The grammar or schema that the product would enforce, if any. */
  schema?: { readonly [keyword: string]: unknown };
};

/** With `isHeld`, uses words and names that training never sees. */
export type Making = {
  dice: Dice;
  isHeld: boolean;
  /** Pieces of which some made-up words consist, so that every token is copied now and then. */
  pieces?: readonly string[];
};

export type Skill = {
  name: string;
  /** The weight of the skill among the training samples. */
  weight: number;
  make(making: Making): Sample;
};

export const ask = (question: string, answer: string): Sample => ({
  messages: [{ role: 'user', content: question }],
  answer,
});

/** One of the wordings: the last few of each list are held out for evaluation. */
export function wording<Item>({ dice, isHeld }: Making, items: readonly Item[], heldCount = 1): Item {
  if (items.length <= heldCount) return dice.pick(items);
  return dice.pick(isHeld ? items.slice(-heldCount) : items.slice(0, -heldCount));
}

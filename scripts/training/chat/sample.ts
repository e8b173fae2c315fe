import type { Dice } from './dice.ts';
import type { ToolDefinition } from '../../../src/runtime/engine.ts';

export type Message = { role: 'system' | 'user' | 'assistant' | 'tool'; content: string };

/** One thing to learn: what is said to the model, and what it should say, word for word. */
export type Sample = {
  messages: readonly Message[];
  answer: string;
  tools?: readonly ToolDefinition[];
  /** The answer is written letter by letter: what is about letters is hard to see in tokens of several. */
  isSpelled?: boolean;
  /** What the answer must be bound to, where the product binds it. */
  schema?: { readonly [keyword: string]: unknown };
};

/** With `isHeld`, of words and names that training never sees. */
export type Making = {
  dice: Dice;
  isHeld: boolean;
  /** Of what some made-up words are put together, so that every token is copied now and then. */
  pieces?: readonly string[];
};

export type Skill = {
  name: string;
  /** How many of all samples that training draws, among those of the other skills. */
  weight: number;
  make(making: Making): Sample;
};

export const ask = (question: string, answer: string): Sample => ({
  messages: [{ role: 'user', content: question }],
  answer,
});

/** One of the wordings: the last few of each list are kept for evaluation. */
export function wording<Item>({ dice, isHeld }: Making, items: readonly Item[], heldCount = 1): Item {
  if (items.length <= heldCount) return dice.pick(items);
  return dice.pick(isHeld ? items.slice(-heldCount) : items.slice(0, -heldCount));
}

import { createRandom } from '../../fixtures/random-model.ts';
import { SYNTHETIC_WORDS } from '../../fixtures/synthetic-encoder.ts';

export const CONTEXT_TOKENS = 512;

export type Plan = {
  rounds: number;
  inputs: readonly number[];
  tokens: readonly number[];
  documents: number;
};

export const FULL: Plan = { rounds: 3, inputs: [1, 10, 100], tokens: [64, 512], documents: 1000 };
export const QUICK: Plan = { rounds: 1, inputs: [1, 10], tokens: [64, 512], documents: 200 };

const random = createRandom(3);
/** What the model puts around a text. */
const FRAME_TOKENS = 2;

/** Texts of so many tokens, never the same twice. */
export function textsOf(count: number, tokens: number): string[] {
  const word = () => SYNTHETIC_WORDS[Math.floor(random() * SYNTHETIC_WORDS.length)];
  return Array.from({ length: count }, () => Array.from({ length: tokens - FRAME_TOKENS }, word).join(' '));
}

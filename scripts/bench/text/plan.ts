import { createRandom } from '../../../src/gguf/random.ts';
import { DEEP, SHALLOW, SYNTHETIC_WORDS, type SyntheticDepth } from '../../fixtures/synthetic-encoder.ts';

export const CONTEXT_TOKENS = 512;

/** This many texts, with this many tokens each. */
export type Request = { count: number; tokens: number };

export type Shape = {
  depth: SyntheticDepth;
  requests: readonly Request[];
  /** Short requests are measured several times in a round. */
  tokensOfRound: number;
  documents: number;
};

export type Plan = { rounds: number; shapes: readonly Shape[] };

const texts = (count: number, tokens: number): Request => ({ count, tokens });

/**
 * One layer takes so little time that the cost of a request shows; the depth of real embedders shows how much that
 * matters.
 */
export const FULL: Plan = {
  rounds: 3,
  shapes: [
    {
      depth: SHALLOW,
      requests: [64, 512].flatMap((tokens) => [1, 10, 100].map((count) => texts(count, tokens))),
      tokensOfRound: 2500,
      documents: 1000,
    },
    {
      depth: DEEP,
      requests: [texts(64, 16), texts(1, 64), texts(10, 64), texts(1, 512)],
      tokensOfRound: 320,
      documents: 20,
    },
  ],
};
export const QUICK: Plan = {
  rounds: 1,
  shapes: [
    {
      depth: SHALLOW,
      requests: [64, 512].flatMap((tokens) => [1, 10].map((count) => texts(count, tokens))),
      tokensOfRound: 2500,
      documents: 200,
    },
    { depth: DEEP, requests: [texts(64, 16), texts(1, 64), texts(1, 512)], tokensOfRound: 192, documents: 6 },
  ],
};

const random = createRandom(3);
/** The special tokens that the model adds to a text. */
const FRAME_TOKENS = 2;

/** The prefix of every row of a shape, except for the first shape. */
export function prefixOf({ depth }: Shape): string {
  return depth === SHALLOW ? '' : `${depth.layers} layers, `;
}

/** Texts with this many tokens, never the same twice. */
export function textsOf(count: number, tokens: number): string[] {
  const word = () => SYNTHETIC_WORDS[Math.floor(random() * SYNTHETIC_WORDS.length)];
  return Array.from({ length: count }, () => Array.from({ length: tokens - FRAME_TOKENS }, word).join(' '));
}

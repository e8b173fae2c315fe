import { randomInt } from 'node:crypto';
import type { LlamaGrammarEvaluationState, SequenceEvaluateOptions, Token, TokenBias } from 'node-llama-cpp';
import type { Sampling } from '../../../src/runtime/engine.ts';

/** Only the likeliest tokens are candidates, as in llama.cpp and what is built on it; sorting all takes 2 ms a token. */
export const CANDIDATES = 40;
/** llama.cpp reads the greatest seed as "any seed". */
const ANY_SEED = 0xffffffff;

export type SamplingContext = {
  sampling: Sampling;
  /** Beside choice 0, so that choices with one seed differ. */
  choice: number;
  /** The tokens generated so far, which the penalties look at. */
  generated: () => Token[];
  contextTokens: number;
  /** Asked before each token. */
  grammar: () => LlamaGrammarEvaluationState | undefined;
  bias: () => TokenBias;
};

export function samplingOptions(context: SamplingContext): SequenceEvaluateOptions {
  const { temperature, topP, topK = CANDIDATES } = context.sampling;
  return {
    temperature,
    topP,
    topK,
    minP: 0,
    seed: seedOf(context),
    grammarEvaluationState: context.grammar,
    tokenBias: context.bias,
    ...penalties(context),
  };
}

/** Without one, node-llama-cpp takes the current second, which requests share and which changes while one runs. */
export function seedOf({ sampling: { seed }, choice }: Pick<SamplingContext, 'sampling' | 'choice'>): number {
  return seed === undefined ? randomInt(ANY_SEED) : ((seed >>> 0) + choice * 0x9e3779b1) % ANY_SEED;
}

export function penalties({
  sampling,
  generated,
  contextTokens,
}: Pick<SamplingContext, 'sampling' | 'generated' | 'contextTokens'>): Pick<
  SequenceEvaluateOptions,
  'repeatPenalty'
> {
  const { presencePenalty, frequencyPenalty } = sampling;
  if (presencePenalty === 0 && frequencyPenalty === 0) return {};
  return {
    repeatPenalty: {
      penalty: 1,
      presencePenalty,
      frequencyPenalty,
      punishTokens: generated,
      maxPunishTokens: contextTokens,
    },
  };
}

import { randomInt } from 'node:crypto';
import type { SequenceEvaluateOptions, Token } from 'node-llama-cpp';
import type { Sampling } from '../../../src/runtime/engine.ts';

/** Only the likeliest tokens are candidates, as in llama.cpp and what is built on it; sorting all takes 2 ms a token. */
const CANDIDATES = 40;
/** llama.cpp reads the greatest seed as "any seed". */
const ANY_SEED = 0xffffffff;

export type SamplingContext = {
  sampling: Sampling;
  /** The tokens generated so far, which the penalties look at. */
  generated: () => Token[];
  contextTokens: number;
};

export function samplingOptions(context: SamplingContext): SequenceEvaluateOptions {
  const { temperature, topP, seed } = context.sampling;
  return {
    temperature,
    topP,
    topK: CANDIDATES,
    minP: 0,
    // Without one, node-llama-cpp takes the current second, which requests share and which changes while one runs.
    seed: seed === undefined ? randomInt(ANY_SEED) : Math.min(seed >>> 0, ANY_SEED - 1),
    ...penalties(context),
  };
}

function penalties({ sampling, generated, contextTokens }: SamplingContext): SequenceEvaluateOptions {
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

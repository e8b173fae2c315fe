import { randomInt } from 'node:crypto';
import type { LlamaGrammarEvaluationState, SequenceEvaluateOptions, Token, TokenBias } from 'node-llama-cpp';
import type { Sampling } from '../../../../src/runtime/engine.ts';

/** Top-k as in llama.cpp and programs built on it; sorting the whole vocabulary takes 2 ms a token. */
export const CANDIDATES = 40;
/** llama.cpp treats the largest seed as "random seed". */
const ANY_SEED = 0xffffffff;

export type SamplingContext = {
  sampling: Sampling;
  /** Makes choices with the same seed differ; choice 0 uses the seed as it is. */
  choice: number;
  prompt: readonly Token[];
  /** The tokens generated so far, for the penalties. */
  generated: () => Token[];
  contextTokens: number;
  /** Called before each token. */
  grammar: () => LlamaGrammarEvaluationState | undefined;
  bias: () => TokenBias;
};

export function samplingOptions(context: SamplingContext): SequenceEvaluateOptions {
  const { temperature, topP, topK = CANDIDATES, minP = 0 } = context.sampling;
  return {
    temperature,
    topP,
    topK,
    minP,
    seed: seedOf(context),
    grammarEvaluationState: context.grammar,
    tokenBias: context.bias,
    ...penalties(context),
  };
}

/** Without a seed, node-llama-cpp uses the current second, which requests share and which changes while one runs. */
export function seedOf({ sampling: { seed }, choice }: Pick<SamplingContext, 'sampling' | 'choice'>): number {
  return seed === undefined ? randomInt(ANY_SEED) : ((seed >>> 0) + choice * 0x9e3779b1) % ANY_SEED;
}

/** llama.cpp's default. */
const REPEAT_LAST_TOKENS = 64;

type PenaltyContext = Pick<SamplingContext, 'sampling' | 'prompt' | 'generated' | 'contextTokens'>;

/**
 * The convention's penalties count everything that was generated. With `repeatPenalty` or a window they are
 * llama.cpp's, which also count the end of the prompt.
 */
export function penalties(context: PenaltyContext): Pick<SequenceEvaluateOptions, 'repeatPenalty'> {
  const { presencePenalty, frequencyPenalty, repeatPenalty = 1, repeatLastTokens } = context.sampling;
  if (presencePenalty === 0 && frequencyPenalty === 0 && repeatPenalty === 1) return {};
  const strengths = { penalty: repeatPenalty, presencePenalty, frequencyPenalty };
  if (repeatPenalty === 1 && repeatLastTokens === undefined) {
    const { generated, contextTokens } = context;
    return { repeatPenalty: { ...strengths, punishTokens: generated, maxPunishTokens: contextTokens } };
  }
  const window = windowOf(context);
  if (window === 0) return {};
  const punishTokens = () => lastTokens(context, window);
  return { repeatPenalty: { ...strengths, punishTokens, maxPunishTokens: window } };
}

function windowOf({
  sampling: { repeatLastTokens = REPEAT_LAST_TOKENS },
  contextTokens,
}: PenaltyContext): number {
  return repeatLastTokens < 0 ? contextTokens : Math.min(repeatLastTokens, contextTokens);
}

function lastTokens({ prompt, generated }: PenaltyContext, count: number): Token[] {
  const all = generated();
  if (all.length >= count) return all.slice(-count);
  return [...prompt.slice(Math.max(0, prompt.length - (count - all.length))), ...all];
}

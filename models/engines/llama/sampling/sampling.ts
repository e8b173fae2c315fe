import { randomInt } from 'node:crypto';
import type { LlamaGrammarEvaluationState, SequenceEvaluateOptions, Token, TokenBias } from 'node-llama-cpp';
import type { Sampling } from '../../../../src/runtime/engine.ts';

/** Only the likeliest tokens are candidates, as in llama.cpp and what is built on it; sorting all takes 2 ms a token. */
export const CANDIDATES = 40;
/** llama.cpp reads the greatest seed as "any seed". */
const ANY_SEED = 0xffffffff;

export type SamplingContext = {
  sampling: Sampling;
  /** Beside choice 0, so that choices with one seed differ. */
  choice: number;
  prompt: readonly Token[];
  /** The tokens generated so far, which the penalties look at. */
  generated: () => Token[];
  contextTokens: number;
  /** Asked before each token. */
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

/** Without one, node-llama-cpp takes the current second, which requests share and which changes while one runs. */
export function seedOf({ sampling: { seed }, choice }: Pick<SamplingContext, 'sampling' | 'choice'>): number {
  return seed === undefined ? randomInt(ANY_SEED) : ((seed >>> 0) + choice * 0x9e3779b1) % ANY_SEED;
}

/** llama.cpp's own number. */
const REPEAT_LAST_TOKENS = 64;

type PenaltyContext = Pick<SamplingContext, 'sampling' | 'prompt' | 'generated' | 'contextTokens'>;

/**
 * The penalties of the convention look at all that was generated. With `repeatPenalty` or a window of tokens they are
 * those of llama.cpp, which count the end of the prompt too.
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

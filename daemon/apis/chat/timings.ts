import type { Timings } from '../../../src/api/chat/chat.ts';

/** When a model started the prompt, generated its first token, and finished, as seen by the daemon. */
export type Times = { began: number | undefined; first: number | undefined; last: number | undefined };

type Tokens = { promptTokens: number; cachedTokens: number; completionTokens: number };

/** The first token arrives at the end of the prompt, so decoding is the time from the first token to the last. */
export function toTimings(
  { promptTokens, cachedTokens, completionTokens }: Tokens,
  { began = 0, first = began, last = first }: Times,
): Timings {
  const prompt = speedOf(promptTokens - cachedTokens, first - began);
  const predicted = speedOf(completionTokens, last - first);
  return {
    cache_n: cachedTokens,
    prompt_n: promptTokens - cachedTokens,
    prompt_ms: prompt.ms,
    prompt_per_token_ms: prompt.perToken,
    prompt_per_second: prompt.perSecond,
    predicted_n: completionTokens,
    predicted_ms: predicted.ms,
    predicted_per_token_ms: predicted.perToken,
    predicted_per_second: predicted.perSecond,
  };
}

function speedOf(tokens: number, ms: number) {
  return {
    ms: round(ms),
    perToken: tokens > 0 ? round(ms / tokens) : null,
    perSecond: ms > 0 ? round((1000 * tokens) / ms) : null,
  };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

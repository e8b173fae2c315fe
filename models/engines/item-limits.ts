import { contextLengthExceeded } from '../../src/base/context-length.ts';

export type ItemLength = {
  /** Where it came from: `input[3]`. */
  param: string;
  tokens: number;
  tokensMax: number;
};

/** Nothing is ever truncated silently: the caller must know that a part would have been ignored. */
export function checkLength({ param, tokens, tokensMax }: ItemLength): void {
  if (tokens <= tokensMax) return;
  throw contextLengthExceeded({ promptTokens: tokens, contextTokens: tokensMax, param });
}

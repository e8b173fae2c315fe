import { Failure } from '../../src/errors.ts';

export type ItemLength = {
  /** Where it came from: `input[3]`. */
  param: string;
  tokens: number;
  tokensMax: number;
};

/** Nothing is ever cut to fit: who asks must know that a part would not have been read. */
export function checkLength({ param, tokens, tokensMax }: ItemLength): void {
  if (tokens <= tokensMax) return;
  throw new Failure(
    'context_length_exceeded',
    `${param} takes ${tokens} tokens; this model reads at most ${tokensMax} at once.`,
    { param, details: { n_prompt_tokens: tokens, n_ctx: tokensMax } },
  );
}

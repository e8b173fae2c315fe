/** A step that reads a prompt may take this long, because nothing can be aborted within a step… */
const STEP_MS_ALONE = 500;
/** …and this long where other requests wait for their next token. */
const STEP_MS_SHARED = 150;
const STEP_TOKENS_FIRST = 64;
const STEP_TOKENS_MIN = 16;

export type PrefillPace = {
  /** Tokens of its prompt that each reading request may evaluate in the next step. */
  promptTokensEach(running: { reading: number; writing: number }): number;
  /** Learns how fast this model reads. */
  observe(step: { promptTokens: number; ms: number }): void;
};

/** Cuts prompts into pieces by time, since one model reads a thousand times faster than another. */
export function createPrefillPace(batchTokens: number): PrefillPace {
  let tokensPerMs: number | undefined;
  return {
    promptTokensEach({ reading, writing }) {
      if (reading === 0) return 0;
      const budgetMs = writing > 0 ? STEP_MS_SHARED : STEP_MS_ALONE;
      const affordable = tokensPerMs === undefined ? STEP_TOKENS_FIRST : tokensPerMs * budgetMs;
      const tokens = Math.min(Math.max(affordable, STEP_TOKENS_MIN), batchTokens - writing);
      return Math.max(1, Math.floor(tokens / reading));
    },
    observe({ promptTokens, ms }) {
      if (promptTokens < STEP_TOKENS_MIN || ms <= 0) return;
      const latest = promptTokens / ms;
      tokensPerMs = tokensPerMs === undefined ? latest : (tokensPerMs + latest) / 2;
    },
  };
}

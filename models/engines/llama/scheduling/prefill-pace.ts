import type { CacheType, FlashAttention } from '../../../../src/config/context-cache.ts';

/** Longest prefill in a step: larger pieces are more efficient, but nothing can be aborted inside a step… */
export const PREFILL_MS_ALONE = 1000;
/** …while other prompts wait for their turn… */
export const PREFILL_MS_QUEUED = 500;
/** …and while other requests wait for their next token. */
export const PREFILL_MS_SHARED = 150;
const TOKENS_FIRST = 64;
/**
 * llama.cpp's flash attention on CPUs handles whole tiles of tokens at once and fewer than one tile one by one: after
 * a thousand tokens, 48 cost more than 64.
 */
const ATTENTION_TILE = 64;
const TILE_MIN = 16;
/** Fewer tokens say nothing about a model's prefill speed. */
const TOKENS_OBSERVED_MIN = 16;

/** A prompt that is being prefilled, and how many of its tokens are left. */
export type Prompt = { slot: number; left: number; arrivedAtMs: number };

/** By slot: which requests are prefilled in the next step, and how many tokens. */
export type Pieces = ReadonlyMap<number, number>;

export type PrefillPace = {
  plan(prompts: readonly Prompt[], msMax: number): Pieces;
  /** How long prefilling this many tokens will take; undefined before the first measurement. */
  expectedMs: (promptTokens: number) => number | undefined;
  /** Records this model's prefill speed. */
  observe(step: { promptTokens: number; ms: number }): void;
};

export type PrefillPaceOptions = {
  /** Tokens of one native decode. */
  batchTokens: number;
  /** Prefill is efficient in multiples of this. */
  tileTokens: number;
};

/** The tile size of a context. */
export function tileTokensOf(context: { flashAttention: FlashAttention; cacheType: CacheType }): number {
  return context.flashAttention !== 'off' && context.cacheType === 'f16' ? ATTENTION_TILE : TILE_MIN;
}

/** From this many tokens on, a partial tile takes longer than a full one. */
const SHORT_OF_TILE = 24;
const SHORT_OF_TILE_FROM = 512;

/** How much of a cached prefix to keep: sometimes prefilling more takes less time. */
export function tokensToKeep(prompt: { tokens: number; held: number }, tileTokens: number): number {
  const unprefilled = prompt.tokens - prompt.held;
  const isSlow =
    prompt.held >= SHORT_OF_TILE_FROM && unprefilled >= SHORT_OF_TILE && unprefilled < ATTENTION_TILE;
  return isSlow && tileTokens === ATTENTION_TILE ? prompt.tokens - tileTokens : prompt.held;
}

/**
 * Cuts prompts into pieces by time, since models differ a thousandfold in speed, and in whole tiles. Only pieces shorter
 * than a tile are prefilled together: llama.cpp splits batches in which sequences prefill pieces of different lengths.
 * The prompt with the fewest tokens left comes first, so that of several answers the first begins early. But every
 * other piece is the oldest request's, so that no number of short prompts holds it up.
 */
export function createPrefillPace({ batchTokens, tileTokens }: PrefillPaceOptions): PrefillPace {
  let tokensPerMs: number | undefined;
  let plans = 0;

  function affordableTokens(msMax: number): number {
    return Math.min(tokensPerMs === undefined ? TOKENS_FIRST : tokensPerMs * msMax, batchTokens);
  }

  /** A partial tile is prefilled first: the longer the context, the more it costs. */
  function pieceOf(left: number, affordable: number): number {
    const odd = left % tileTokens;
    const room = Math.floor((batchTokens - odd) / tileTokens);
    const tiles = Math.min(Math.max(1, Math.round(affordable / tileTokens)), room);
    return Math.min(left, tiles * tileTokens + odd);
  }

  return {
    plan(prompts, msMax) {
      const byAge = prompts.toSorted((a, b) => a.arrivedAtMs - b.arrivedAtMs);
      const byLength = byAge.toSorted((a, b) => a.left - b.left);
      const first = (plans++ % 2 === 0 ? byLength : byAge)[0];
      if (!first) return new Map();
      const affordable = affordableTokens(msMax);
      if (first.left >= tileTokens) return new Map([[first.slot, pieceOf(first.left, affordable)]]);
      const pieces = new Map([[first.slot, first.left]]);
      let sum = first.left;
      const others = byLength.filter((prompt) => prompt !== first && prompt.left < tileTokens);
      for (const { slot, left } of others) {
        sum += left;
        if (sum > affordable) break;
        pieces.set(slot, left);
      }
      return pieces;
    },
    expectedMs: (promptTokens) => (tokensPerMs === undefined ? undefined : promptTokens / tokensPerMs),
    observe({ promptTokens, ms }) {
      if (promptTokens < TOKENS_OBSERVED_MIN || ms <= 0) return;
      const latest = promptTokens / ms;
      tokensPerMs = tokensPerMs === undefined ? latest : (tokensPerMs + latest) / 2;
    },
  };
}

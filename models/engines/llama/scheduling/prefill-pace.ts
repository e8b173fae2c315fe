import type { CacheType, FlashAttention } from '../../../../src/config/context-cache.ts';

/** Reading a prompt may take this long in a step, because nothing can be aborted within a step… */
const READ_MS_ALONE = 500;
/** …and this long where other requests wait for their next token. */
const READ_MS_SHARED = 150;
const TOKENS_FIRST = 64;
/** llama.cpp's flash attention for processors takes so many tokens at once, and fewer one by one: after a thousand tokens, 48 cost more than 64. */
const ATTENTION_TILE = 64;
const TILE_MIN = 16;
/** Fewer say nothing about how fast a model reads. */
const TOKENS_OBSERVED_MIN = 16;

/** By their places: which requests read in the next step, and how many tokens of their prompts. */
export type Pieces = ReadonlyMap<number, number>;

export type PrefillPace = {
  /** `left` says how many tokens each still has to read: 0 for one that has nothing to read. */
  plan(left: readonly number[], step: { isShared: boolean }): Pieces;
  /** How long reading so many tokens will take; nothing before anything was read. */
  expectedMs(promptTokens: number): number | undefined;
  /** Learns how fast this model reads. */
  observe(step: { promptTokens: number; ms: number }): void;
};

export type PrefillPaceOptions = {
  /** Tokens of one native decode. */
  batchTokens: number;
  /** A piece of a prompt is read well in multiples of this. */
  tileTokens: number;
};

/** In what multiples a context reads well. */
export function tileTokensOf(context: { flashAttention: FlashAttention; cacheType: CacheType }): number {
  return context.flashAttention !== 'off' && context.cacheType === 'f16' ? ATTENTION_TILE : TILE_MIN;
}

/** From so many tokens on, what is short of a tile takes longer than the whole tile. */
const SHORT_OF_TILE = 24;
const SHORT_OF_TILE_FROM = 512;

/** How much of a prompt that a sequence begins with it had better keep: sometimes reading more takes less time. */
export function tokensToKeep(prompt: { tokens: number; held: number }, tileTokens: number): number {
  const unread = prompt.tokens - prompt.held;
  const isSlow = prompt.held >= SHORT_OF_TILE_FROM && unread >= SHORT_OF_TILE && unread < ATTENTION_TILE;
  return isSlow && tileTokens === ATTENTION_TILE ? prompt.tokens - tileTokens : prompt.held;
}

/**
 * Cuts prompts into pieces by time, since one model reads a thousand times faster than another, and in whole tiles.
 * Those who read long prompts take turns: sequences that read pieces of different lengths side by side are torn apart by
 * llama.cpp. What is shorter than a tile is read together and at once.
 */
export function createPrefillPace({ batchTokens, tileTokens }: PrefillPaceOptions): PrefillPace {
  let tokensPerMs: number | undefined;
  let lastPlace = -1;

  function affordableTokens(isShared: boolean): number {
    const tokens =
      tokensPerMs === undefined ? TOKENS_FIRST : tokensPerMs * (isShared ? READ_MS_SHARED : READ_MS_ALONE);
    return Math.min(tokens, batchTokens);
  }

  /** What does not fill a tile is read first: the more has been read, the more it costs. */
  function pieceOf(left: number, affordable: number): number {
    const odd = left % tileTokens;
    const room = Math.floor((batchTokens - odd) / tileTokens);
    const tiles = Math.min(Math.max(1, Math.round(affordable / tileTokens)), room);
    return Math.min(left, tiles * tileTokens + odd);
  }

  function inTurn(left: readonly number[]) {
    const prefilling = left.map((tokens, place) => ({ place, tokens })).filter(({ tokens }) => tokens > 0);
    const isNext = ({ place }: { place: number }) => place > lastPlace;
    return [...prefilling.filter(isNext), ...prefilling.filter((reader) => !isNext(reader))];
  }

  return {
    plan(left, { isShared }) {
      const prefilling = inTurn(left);
      const pieces = new Map<number, number>();
      const [first] = prefilling;
      if (!first) return pieces;
      lastPlace = first.place;
      const affordable = affordableTokens(isShared);
      if (first.tokens >= tileTokens) return pieces.set(first.place, pieceOf(first.tokens, affordable));
      let sum = 0;
      for (const { place, tokens } of prefilling.filter(({ tokens }) => tokens < tileTokens)) {
        sum += tokens;
        if (pieces.size > 0 && sum > affordable) break;
        pieces.set(place, tokens);
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

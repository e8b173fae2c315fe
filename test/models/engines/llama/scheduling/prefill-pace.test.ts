import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createPrefillPace,
  PREFILL_MS_ALONE as alone,
  PREFILL_MS_QUEUED as queued,
  PREFILL_MS_SHARED as shared,
  tileTokensOf,
  tokensToKeep,
} from '../../../../../models/engines/llama/scheduling/prefill-pace.ts';

const TILE = 64;

/** `left` has the tokens that each slot's prompt has left, the oldest request first. */
function openPace(tileTokens = TILE) {
  const pace = createPrefillPace({ batchTokens: 512, tileTokens });
  const plan = (left: readonly number[], msMax: number) => {
    const prompts = left.map((tokens, slot) => ({ slot, left: tokens, arrivedAtMs: slot }));
    return pace.plan(
      prompts.filter(({ left }) => left > 0),
      msMax,
    );
  };
  return { ...pace, plan };
}

function paceOf(msPerToken: number) {
  const pace = openPace();
  pace.observe({ promptTokens: 64, ms: 64 * msPerToken });
  return pace;
}

test('a prompt that others wait for is prefilled in smaller pieces than a prompt alone', () => {
  expect(paceOf(2).plan([6400], alone)).toEqual(new Map([[0, 512]]));
  expect(paceOf(2).plan([6400], queued)).toEqual(new Map([[0, 256]]));
  expect(paceOf(2).plan([6400], shared)).toEqual(new Map([[0, 64]]));
});

test('however slow prefill is, a piece is no smaller than a tile', () => {
  expect(paceOf(1000).plan([6400], shared)).toEqual(new Map([[0, TILE]]));
});

test('a remainder smaller than a tile is prefilled with the first piece', () => {
  const pace = paceOf(4);
  const pieces: number[] = [];
  for (let left = 1000; left > 0; left -= pieces.at(-1) ?? 0) {
    pieces.push(pace.plan([left], alone).get(0) ?? 0);
  }
  expect(pieces).toEqual([256 + (1000 % TILE), 256, 256, 192]);
});

test('short prompts are prefilled together, and first', () => {
  expect([...paceOf(1).plan([6400, 30, 0, 6400, 40], queued)]).toEqual([
    [1, 30],
    [4, 40],
  ]);
});

test('of prompts that came together, the first is prefilled as if it were alone', () => {
  const pace = paceOf(4);
  const left = [200, 200, 200];
  const order: number[] = [];
  while (left.some((tokens) => tokens > 0)) {
    for (const [slot, tokens] of pace.plan(left, queued)) left[slot]! -= tokens;
    order.push(left.filter((tokens) => tokens === 0).length);
  }
  expect(order).toEqual([0, 1, 1, 2, 2, 3]);
});

test('the oldest prompt gets every other piece, however many shorter ones come', () => {
  const pace = paceOf(2);
  const plans = Array.from({ length: 4 }, () => [...pace.plan([6400, 70, 80], queued)]);
  expect(plans).toEqual([[[1, 70]], [[0, 256]], [[1, 70]], [[0, 256]]]);
});

test('nothing is prefilled when nothing is left', () => {
  expect(paceOf(1).plan([0, 0], shared).size).toBe(0);
});

test('whatever the prompts are, every request completes, and no step exceeds the batch', () => {
  const lefts = fc.array(fc.nat(3000), { minLength: 1, maxLength: 12 });
  const tiles = fc.constantFrom(16, 64);
  fc.assert(
    fc.property(lefts, tiles, fc.double({ min: 0.001, max: 100, noNaN: true }), (prompts, tileTokens, ms) => {
      const pace = openPace(tileTokens);
      const left = [...prompts];
      for (let step = 0; left.some((tokens) => tokens > 0); step++) {
        const pieces = pace.plan(left, step % 2 === 0 ? shared : alone);
        const tokens = [...pieces.values()].reduce((sum, piece) => sum + piece, 0);
        expect(tokens).toBeGreaterThan(0);
        expect(tokens).toBeLessThanOrEqual(512);
        for (const [place, piece] of pieces) {
          expect(piece).toBeLessThanOrEqual(left[place] ?? 0);
          left[place] = (left[place] ?? 0) - piece;
        }
        pace.observe({ promptTokens: tokens, ms: tokens * ms });
      }
    }),
  );
});

test('only attention that uses tiles asks for them', () => {
  expect(tileTokensOf({ flashAttention: 'auto', cacheType: 'f16' })).toBe(TILE);
  expect(tileTokensOf({ flashAttention: 'off', cacheType: 'f16' })).toBe(16);
  expect(tileTokensOf({ flashAttention: 'on', cacheType: 'q8_0' })).toBe(16);
});

test.each([
  ['a little less than a tile after a long beginning is read as a tile', 1000, 950, 1000 - TILE],
  ['a few tokens are read alone', 1000, 990, 990],
  ['more than a tile is left as it is', 1000, 900, 900],
  ['after a short beginning every token counts', 400, 360, 360],
])('%s', (_, tokens, held, kept) => {
  expect(tokensToKeep({ tokens, held }, TILE)).toBe(kept);
  expect(tokensToKeep({ tokens, held }, 16)).toBe(held);
});

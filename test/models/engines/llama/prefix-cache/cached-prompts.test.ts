import fc from 'fast-check';
import type { Token } from 'node-llama-cpp';
import { expect, test } from 'vitest';
import {
  bytesOf,
  createPromptCache,
  sharedLength,
  type CachedPrompt,
} from '../../../../../models/engines/llama/prefix-cache/prompt-cache.ts';

const LIMIT = 1000;
const SALTS = ['one', 'other', undefined];

const tokensOf = (text: string) => [...text].map((letter) => letter.charCodeAt(0) as Token);

/** An entry that counts how often it was freed. */
function entryOf(text: string, bytes: number, salt?: string) {
  const freed = { times: 0 };
  const state = {
    bytes,
    reaches: (shared: number) => shared,
    restore: () => Promise.resolve(),
    free: () => void (freed.times += 1),
  };
  const entry: CachedPrompt = { tokens: tokensOf(text), promptTokens: text.length, salt, state };
  return { entry, freed };
}

const step = fc.oneof(
  fc.record({
    kind: fc.constant('add' as const),
    text: fc.stringMatching(/^[ab]{1,6}$/),
    bytes: fc.integer({ min: 1, max: 1200 }),
    salt: fc.constantFrom(...SALTS),
  }),
  fc.record({
    kind: fc.constant('use' as const),
    text: fc.stringMatching(/^[ab]{1,6}$/),
    salt: fc.constantFrom(...SALTS),
    goesOn: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('limit' as const), bytes: fc.integer({ min: 0, max: LIMIT }) }),
);

test('whatever is added, used and limited, the bytes stay in bounds and each state is freed once', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const cache = createPromptCache(LIMIT);
      const made: ReturnType<typeof entryOf>[] = [];
      for (const one of steps) {
        if (one.kind === 'limit') cache.limit(one.bytes);
        if (one.kind === 'use') {
          const found = cache.find(tokensOf(one.text), one.salt);
          if (found) cache.used(found.entry, one.goesOn);
          if (found) expect(found.entry.salt).toBe(one.salt);
        }
        if (one.kind === 'add') {
          made.push(entryOf(one.text, one.bytes, one.salt));
          cache.add(made.at(-1)!.entry);
        }
        const living = made.filter(({ freed }) => freed.times === 0).map(({ entry }) => entry);
        const { bytes, bytesMax, entries } = cache.counts();
        expect(bytes).toBeLessThanOrEqual(bytesMax);
        expect(entries).toBe(living.length);
        expect(bytes).toBe(living.reduce((sum, entry) => sum + bytesOf(entry), 0));
        expect(isDoubled(living)).toBe(false);
      }
      cache.clear();
      expect(made.every(({ freed }) => freed.times === 1)).toBe(true);
      expect(cache.counts()).toMatchObject({ bytes: 0, entries: 0 });
    }),
  );
});

/** Whether an earlier one is a prefix of a later one. */
function isDoubled(living: readonly CachedPrompt[]): boolean {
  return living.some((older, place) =>
    living
      .slice(place + 1)
      .some(
        ({ tokens, salt }) =>
          salt === older.salt && sharedLength(older.tokens, tokens) === older.tokens.length,
      ),
  );
}

test('the least recently used are evicted first, and what a request is about to continue stays', () => {
  const cache = createPromptCache(LIMIT);
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((text) => entryOf(text, 300));
  for (const one of [a, b, c]) cache.add(one!.entry);
  cache.used(a!.entry, false);
  cache.add(d!.entry);
  expect([a, b, c, d].map((one) => one!.freed.times)).toEqual([0, 1, 0, 0]);
  cache.hold(c!.entry);
  expect(cache.makeRoom(650)).toBe(true);
  expect([a, c, d].map((one) => one!.freed.times)).toEqual([1, 0, 1]);
  expect(cache.makeRoom(750)).toBe(false);
  expect(c!.freed.times).toBe(0);
});

test('the entry that shares most with a prompt is found, and only with its salt', () => {
  const cache = createPromptCache(LIMIT);
  for (const text of ['once', 'once upon', 'twice']) cache.add(entryOf(text, 10, 'one').entry);
  cache.add(entryOf('once upon a time', 10, 'other').entry);
  expect(cache.find(tokensOf('once upon a time'), 'one')).toMatchObject({ tokens: 'once upon'.length });
  expect(cache.find(tokensOf('once upon a time'), undefined)).toBeUndefined();
  expect(cache.counts().entries).toBe(3);
});

import type { Token } from 'node-llama-cpp';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPromptLookup } from '../../../../../models/engines/llama/speculative/prompt-lookup.ts';

async function propose(prompt: readonly number[], generated: readonly number[], count: number) {
  const lookup = createPromptLookup({ prompt: prompt as Token[], generated: generated as Token[] });
  return (await lookup.ready()) === 0 ? [] : [...(await lookup.propose(count))];
}

test('drafts what followed the same three tokens before', async () => {
  expect(await propose([1, 2, 3, 4, 5, 6], [9, 1, 2, 3], 3)).toEqual([4, 5, 6]);
});

test('two matching tokens are not enough', async () => {
  expect(await propose([1, 2, 3, 4], [9, 2, 3], 3)).toEqual([]);
});

test('of several places, the one with the longest match counts, and of equal ones the latest', async () => {
  expect(await propose([7, 1, 2, 3, 40, 8, 1, 2, 3, 50], [7, 1, 2, 3], 1)).toEqual([40]);
  expect(await propose([6, 1, 2, 3, 40, 8, 1, 2, 3, 50], [7, 1, 2, 3], 1)).toEqual([50]);
});

test('a text that goes round in circles is drafted in circles', async () => {
  expect(await propose([5], [1, 2, 1, 2, 1, 2], 5)).toEqual([1, 2, 1, 2, 1]);
});

test('nothing is drafted for an empty text', async () => {
  expect(await propose([], [], 3)).toEqual([]);
  expect(await propose([1, 1], [], 3)).toEqual([]);
});

test('learning token by token finds what learning all at once finds', async () => {
  const tokens = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(tokens, tokens, async (prompt, said) => {
      const generated: Token[] = [];
      const lookup = createPromptLookup({ prompt: prompt as Token[], generated });
      for (const token of said) {
        generated.push(token as Token);
        const found = (await lookup.ready()) === 0 ? [] : [...(await lookup.propose(4))];
        expect(found).toEqual(await propose(prompt, generated, 4));
      }
    }),
  );
});

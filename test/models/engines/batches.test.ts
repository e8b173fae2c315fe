import fc from 'fast-check';
import { expect, test } from 'vitest';
import { batchesOf, runBatches, type Batching } from '../../../models/engines/batches.ts';
import { createFairQueue } from '../../../models/engines/fair-queue.ts';
import { collect } from '../../helpers/daemon/chat.ts';

const never = new AbortController().signal;
const SAME_LENGTH: Batching = { tokensMax: 10, textsMax: Infinity, paddingMax: 0 };
const NEAR_LENGTHS: Batching = { ...SAME_LENGTH, paddingMax: 2 };
const ANY_LENGTH: Batching = { ...SAME_LENGTH, paddingMax: undefined };

test('texts of the same length are in one batch, and a batch has a limit of tokens', () => {
  expect(batchesOf([3, 5, 3, 5, 5, 3], SAME_LENGTH)).toEqual([[0, 2, 5], [1, 3], [4]]);
});

test('texts of about the same length are in one batch, whose limit of tokens counts the padding', () => {
  expect(batchesOf([5, 1, 3, 9, 2, 4], NEAR_LENGTHS)).toEqual([[1, 4, 2], [5, 0], [3]]);
  expect(batchesOf([2, 2, 2, 4], NEAR_LENGTHS)).toEqual([[0, 1, 2], [3]]);
});

test('texts of any length are packed from the shortest to the longest', () => {
  expect(batchesOf([3, 9, 4, 1, 5, 3], ANY_LENGTH)).toEqual([[3, 0, 5], [2, 4], [1]]);
});

test('a batch has a limit of texts', () => {
  expect(batchesOf([1, 1, 1, 1, 1], { ...ANY_LENGTH, textsMax: 2 })).toEqual([[0, 1], [2, 3], [4]]);
});

test.each([
  { which: 'the same', batching: SAME_LENGTH },
  { which: 'about the same', batching: NEAR_LENGTHS },
  { which: 'any', batching: ANY_LENGTH },
])(
  'a text that is longer than the limit is a batch of its own among texts of $which length',
  ({ batching }) => {
    expect(batchesOf([20, 20, 4, 20, 4], batching)).toEqual([[2, 4], [0], [1], [3]]);
  },
);

test('whatever the lengths, each text is in one batch, and no batch exceeds its limits', () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 60 });
  fc.assert(
    fc.property(lengths, fc.integer({ min: 0, max: 4 }), (all, paddingMax) => {
      const batches = batchesOf(all, { ...SAME_LENGTH, paddingMax });
      expect(batches.flat().sort((a, b) => a - b)).toEqual(all.map((_, index) => index));
      for (const batch of batches) {
        const each = batch.map((index) => all[index] ?? 0);
        const longest = Math.max(...each);
        expect(longest - Math.min(...each)).toBeLessThanOrEqual(paddingMax);
        expect(each.length === 1 || longest * each.length <= SAME_LENGTH.tokensMax).toBe(true);
      }
    }),
  );
});

test('each text is evaluated alone, in the order of the request, if none may be batched', async () => {
  const worked: (readonly number[])[] = [];
  const work = (indices: readonly number[]) => {
    worked.push(indices);
    return Promise.resolve(indices);
  };
  await collect(runBatches(createFairQueue(), { lengths: [3, 2, 3], work, finish: String }, never));
  expect(worked).toEqual([[0], [1], [2]]);
});

test('each text comes with its own index and tokens when its batch is done', async () => {
  const worked: (readonly number[])[] = [];
  const events = await collect(
    runBatches(
      createFairQueue(),
      {
        lengths: [3, 5, 3],
        batching: SAME_LENGTH,
        work: (indices) => {
          worked.push(indices);
          return Promise.resolve(indices.map((index) => `text ${index}`));
        },
        finish: (text, index) => `${text} as ${index}`,
      },
      never,
    ),
  );
  expect(worked).toEqual([[0, 2], [1]]);
  expect(events).toEqual([
    { type: 'item', index: 0, promptTokens: 3, result: 'text 0 as 0' },
    { type: 'item', index: 2, promptTokens: 3, result: 'text 2 as 2' },
    { type: 'item', index: 1, promptTokens: 5, result: 'text 1 as 1' },
  ]);
});

test('a result that cannot be used ends the request after those before it', async () => {
  const results: string[] = [];
  const running = async () => {
    const batches = runBatches(
      createFairQueue(),
      {
        lengths: [2, 2, 2],
        batching: SAME_LENGTH,
        work: (indices) => Promise.resolve(indices),
        finish: (index) => {
          if (index === 1) throw new Error('no vector');
          return `text ${index}`;
        },
      },
      never,
    );
    for await (const event of batches) if (event.type === 'item') results.push(event.result);
  };
  await expect(running()).rejects.toThrow('no vector');
  expect(results).toEqual(['text 0']);
});

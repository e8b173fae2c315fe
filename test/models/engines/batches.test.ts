import { expect, test } from 'vitest';
import { batchesOf, runBatches, type Batching } from '../../../models/engines/batches.ts';
import { createFairQueue } from '../../../models/engines/fair-queue.ts';
import { collect } from '../../helpers/daemon/chat.ts';

const never = new AbortController().signal;
const SAME_LENGTH: Batching = { tokensMax: 10, textsMax: Infinity, isSameLength: true };
const ANY_LENGTH: Batching = { ...SAME_LENGTH, isSameLength: false };

test('texts of the same length are in one batch, and a batch has a limit of tokens', () => {
  expect(batchesOf([3, 5, 3, 5, 5, 3], SAME_LENGTH)).toEqual([[0, 2, 5], [1, 3], [4]]);
});

test('texts of any length are packed from the shortest to the longest', () => {
  expect(batchesOf([3, 9, 4, 1, 5, 3], ANY_LENGTH)).toEqual([[3, 0, 5], [2, 4], [1]]);
});

test('a batch has a limit of texts', () => {
  expect(batchesOf([1, 1, 1, 1, 1], { ...ANY_LENGTH, textsMax: 2 })).toEqual([[0, 1], [2, 3], [4]]);
});

test.each([
  { which: 'the same', batching: SAME_LENGTH, batches: [[0], [1], [2, 4], [3]] },
  { which: 'any', batching: ANY_LENGTH, batches: [[2, 4], [0], [1], [3]] },
])(
  'a text that is longer than the limit is a batch of its own among texts of $which length',
  ({ batching, batches }) => {
    expect(batchesOf([20, 20, 4, 20, 4], batching)).toEqual(batches);
  },
);

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

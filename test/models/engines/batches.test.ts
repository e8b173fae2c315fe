import { expect, test } from 'vitest';
import { batchesOf, runBatches } from '../../../models/engines/batches.ts';
import { createFairQueue } from '../../../models/engines/fair-queue.ts';
import { collect } from '../../helpers/daemon/chat.ts';

const never = new AbortController().signal;

test('texts of the same length are in one batch, and a batch has a limit of tokens', () => {
  expect(batchesOf([3, 5, 3, 5, 5, 3], 10)).toEqual([[0, 2, 5], [1, 3], [4]]);
});

test('a text that is longer than the limit is a batch of its own', () => {
  expect(batchesOf([20, 20, 4, 20, 4], 10)).toEqual([[0], [1], [2, 4], [3]]);
});

test('without a limit of tokens every text is alone', () => {
  expect(batchesOf([3, 3, 3], 0)).toEqual([[0], [1], [2]]);
});

test('each text comes with its own index and tokens when its batch is done', async () => {
  const worked: (readonly number[])[] = [];
  const events = await collect(
    runBatches(
      createFairQueue(),
      {
        lengths: [3, 5, 3],
        isBatched: true,
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
        isBatched: true,
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

import { expect, test } from 'vitest';
import {
  chooseThreads,
  chooseUnderLoad,
  threadSteps,
} from '../../../../../models/engines/llama/loading/calibrate.ts';

const measured = (...msPerToken: number[]) =>
  msPerToken.map((ms, index) => ({ threads: 2 ** index, msPerToken: ms }));

test.each([
  ['one thread where more make it slower', measured(1, 2, 9), 1],
  ['one thread where more hardly help', measured(10, 9.8, 9.9), 1],
  ['two where two help and four do not', measured(10, 6, 6.1), 2],
  ['the most where each helps', measured(10, 6, 4), 4],
  ['four where only four help', measured(10, 9.9, 5), 4],
  ['one when nothing was measured', [], 1],
])('chooses %s', (_, measurements, threads) => {
  expect(chooseThreads(measurements)).toBe(threads);
});

test.each([
  ['all threads to a model whose tokens take long, however slow they look', measured(20, 25, 90), 4],
  ['what was measured to a small one', measured(1.5, 3, 9), 1],
  ['one when nothing was measured', [], 1],
])('gives on a busy machine %s', (_, measurements, threads) => {
  expect(chooseUnderLoad(measurements)).toBe(threads);
});

test('tries powers of two up to the cores', () => {
  expect([1, 2, 3, 4, 6, 16].map(threadSteps)).toEqual([
    [1],
    [1, 2],
    [1, 2, 3],
    [1, 2, 4],
    [1, 2, 4, 6],
    [1, 2, 4, 8, 16],
  ]);
});

import { expect, test } from 'vitest';
import { createCostlyTurns } from '../../../../../models/engines/llama/scheduling/costly-turns.ts';

function busy(ms: number): number {
  const startedAt = performance.now();
  while (performance.now() - startedAt < ms);
  return ms;
}

test('costly work rests before the next, and its results and errors reach who asked', async () => {
  const inTurn = createCostlyTurns();
  const begun: number[] = [];
  const work = () => {
    begun.push(performance.now());
    return busy(30);
  };
  const failing = inTurn(() => {
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await Promise.all([inTurn(work), inTurn(work)])).toEqual([30, 30]);
  const [first = 0, second = 0] = begun;
  expect(second - first).toBeGreaterThan(30 + 4 * 30 - 5);
});

test('cheap work follows at once, in order', async () => {
  const inTurn = createCostlyTurns();
  const done = await Promise.all([1, 2, 3].map((number) => inTurn(() => number)));
  expect(done).toEqual([1, 2, 3]);
});

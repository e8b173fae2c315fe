import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { takeTurn } from '../../../daemon/http/take-turn.ts';

test('the first works of a turn begin at once, and the others in later turns, in order', async () => {
  const begun: number[] = [];
  const works = Array.from({ length: 20 }, async (_, work) => {
    await takeTurn();
    begun.push(work);
  });
  const seen: number[] = [];
  while (begun.length < works.length) {
    await Promise.resolve();
    seen.push(begun.length);
    await nextTurn();
  }
  expect(begun).toEqual(works.map((_, work) => work));
  expect(Math.max(...seen.map((count, turn) => count - (seen[turn - 1] ?? 0)))).toBeLessThanOrEqual(8);
});

test('what comes later does not pass those that wait', async () => {
  const begun: string[] = [];
  const work = async (name: string) => {
    await takeTurn();
    begun.push(name);
  };
  const early = Array.from({ length: 12 }, () => work('early'));
  await nextTurn();
  const late = work('late');
  await Promise.all([...early, late]);
  expect(begun.at(-1)).toBe('late');
});

test('work that comes when nobody waits begins at once', async () => {
  await nextTurn();
  expect(takeTurn()).toBeUndefined();
});

import { expect, test } from 'vitest';
import type { ChatPrompt } from '../../../../../src/runtime/engine.ts';
import { createCostlyTurns } from '../../../../../models/engines/llama/scheduling/costly-turns.ts';

const withSchema = (name: string): ChatPrompt => ({
  messages: [{ role: 'user', content: 'x' }],
  format: { type: 'schema', schema: { const: name } },
});
const plain: ChatPrompt = { messages: [{ role: 'user', content: 'x' }] };
const long: ChatPrompt = { messages: [{ role: 'user', content: 'x'.repeat(100_000) }] };

function busy(ms: number): number {
  const startedAt = performance.now();
  while (performance.now() - startedAt < ms);
  return ms;
}

test('costly work rests before the next, and its results and errors reach the caller', async () => {
  const inTurn = createCostlyTurns();
  const begun: number[] = [];
  const work = () => {
    begun.push(performance.now());
    return busy(30);
  };
  const failing = inTurn(withSchema('a'), 'answer', () => {
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await Promise.all([inTurn(withSchema('b'), 'answer', work), inTurn(long, 'answer', work)])).toEqual([
    30, 30,
  ]);
  const [first = 0, second = 0] = begun;
  expect(second - first).toBeGreaterThan(30 + 4 * 30 - 5);
});

test('cheap work follows at once, in order', async () => {
  const inTurn = createCostlyTurns();
  const done = await Promise.all(
    [1, 2, 3].map((number) => inTurn(withSchema(`${number}`), 'answer', () => number)),
  );
  expect(done).toEqual([1, 2, 3]);
});

test('work known to be cheap overtakes what waits behind costly work', async () => {
  const inTurn = createCostlyTurns();
  await inTurn(withSchema('known'), 'answer', () => 0);
  const ended: string[] = [];
  const run = async (name: string, prompt: ChatPrompt, ms: number) => {
    await inTurn(prompt, 'answer', () => busy(ms));
    ended.push(name);
  };
  await Promise.all([
    run('costly', withSchema('costly'), 40),
    run('the same again', withSchema('costly'), 40),
    run('new', withSchema('new'), 0),
    run('long', long, 0),
    run('plain', plain, 0),
    run('known', withSchema('known'), 0),
  ]);
  expect(ended.toSorted()).toHaveLength(6);
  const place = (name: string) => ended.indexOf(name);
  for (const cheap of ['plain', 'known']) expect(place(cheap)).toBeLessThan(place('the same again'));
  expect(place('the same again')).toBeLessThan(place('new'));
});

test('a schema whose tokens were counted is not known to be cheap yet', async () => {
  const inTurn = createCostlyTurns();
  const ended: string[] = [];
  await inTurn(withSchema('a'), 'count', () => 0);
  await Promise.all([
    inTurn(withSchema('costly'), 'answer', () => busy(40)).then(() => ended.push('costly')),
    inTurn(withSchema('a'), 'answer', () => 0).then(() => ended.push('a')),
  ]);
  expect(ended).toEqual(['costly', 'a']);
});

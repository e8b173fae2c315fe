import { expect, test } from 'vitest';
import { tokensPerSecond } from '../../../../../src/check/cards/steps/speed.ts';

/** When this many tokens of a stream had arrived. */
const stream = (...marks: [at: number, tokens: number][]) => marks.map(([at, tokens]) => ({ at, tokens }));

test('the speed of streams is the total rate while all of them run', () => {
  expect(tokensPerSecond([stream([0, 1], [1000, 101])])).toBe(100);
  const first = stream([0, 1], [500, 51], [1500, 151]);
  const last = stream([500, 1], [1000, 41], [2000, 141]);
  expect(tokensPerSecond([first, last])).toBe(140);
});

test('streams that never ran all together have no speed', () => {
  expect(tokensPerSecond([stream([0, 1], [100, 9]), stream([200, 1], [300, 9])])).toBe(0);
  expect(tokensPerSecond([stream([0, 1]), stream()])).toBe(0);
});

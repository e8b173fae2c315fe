import { expect, test } from 'vitest';
import { toUnitVector } from '../../../models/engines/vectors.ts';

const param = 'input[3]';

test('a vector gets length 1, however small or large it is', () => {
  for (const values of [
    [3, 4],
    [3e-40, 4e-40],
    [3e30, 4e30],
  ]) {
    const [x = 0, y = 0] = toUnitVector(values, { param });
    expect(Math.hypot(x, y)).toBeCloseTo(1, 3);
  }
});

test('a vector of zeros stays one', () => {
  expect([...toUnitVector([0, 0, 0], { param })]).toEqual([0, 0, 0]);
});

test.each([[NaN], [Infinity], [-Infinity], [1e39]])(
  '%d in a vector is a failure that names the input',
  (value) => {
    expect(() => toUnitVector([1, value], { param })).toThrow(
      expect.objectContaining({ code: 'model_output_invalid', param }) as Error,
    );
  },
);

test('cut dimensions may be anything', () => {
  expect([...toUnitVector([2, NaN], { dimensions: 1, param })]).toEqual([1]);
});

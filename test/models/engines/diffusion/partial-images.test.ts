import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draftSteps } from '../../../../models/engines/diffusion/partial-images.ts';

test.each([
  [4, 0, []],
  [4, 1, [2]],
  [4, 3, [1, 2, 3]],
  [20, 3, [5, 10, 15]],
  [2, 3, [1, 1, 1]],
  [1, 1, [1]],
])('of %d steps, %d drafts take %j', (steps, drafts, expected) => {
  expect(draftSteps(steps, drafts)).toEqual(expected);
});

test('each draft takes at least one step, no fewer than the one before, and fewer than the image where it can', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 0, max: 3 }), (steps, drafts) => {
      const taken = draftSteps(steps, drafts);
      expect(taken).toHaveLength(drafts);
      expect(taken).toEqual(taken.toSorted((a, b) => a - b));
      for (const each of taken) {
        expect(each).toBeGreaterThanOrEqual(1);
        expect(each).toBeLessThanOrEqual(Math.max(1, steps - 1));
      }
    }),
  );
});

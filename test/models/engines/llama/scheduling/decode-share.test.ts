import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDecodeShare } from '../../../../../models/engines/llama/scheduling/decode-share.ts';

function shareOf(stepMs: number) {
  const share = createDecodeShare();
  share.observe(stepMs);
  return share;
}

test('before anything is measured, every request decodes one token', () => {
  expect(createDecodeShare().plan(undefined)).toEqual({ steps: 1, periodMs: 0 });
  expect(createDecodeShare().plan(1000).steps).toBe(1);
  expect(shareOf(10).plan(undefined).steps).toBe(1);
});

test('if a token takes long, every request still decodes one between two pieces', () => {
  const share = shareOf(500);
  for (let period = 0; period < 10; period++) {
    expect(share.plan(100)).toEqual({ steps: 1, periodMs: 600 });
  }
});

test('if several fit, decoding gets 18 % of the time, however it divides', () => {
  const times = fc.record({
    stepMs: fc.double({ min: 1, max: 100, noNaN: true }),
    steps: fc.double({ min: 1, max: 20, noNaN: true }),
  });
  fc.assert(
    fc.property(times, ({ stepMs, steps }) => {
      const share = shareOf(stepMs);
      const readMs = (stepMs * steps * 0.82) / 0.18;
      const plans = Array.from({ length: 200 }, () => share.plan(readMs));
      const writing = plans.reduce((sum, plan) => sum + plan.steps * stepMs, 0);
      expect(writing / (writing + 200 * readMs)).toBeCloseTo(0.18, 2);
    }),
  );
});

test('the cost of a token is updated as it changes', () => {
  const share = shareOf(100);
  for (let step = 0; step < 10; step++) share.observe(10);
  expect(share.plan(1000).steps).toBeGreaterThan(10);
});

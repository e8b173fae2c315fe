import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTokenPacing } from '../../../../../models/engines/llama/scheduling/token-pacing.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

function openFlow() {
  const shown: { item: number; at: number }[] = [];
  const flow = createTokenPacing((item: number) => shown.push({ item, at: performance.now() }));
  let made = 0;
  const burst = (periodMs: number, count: number) => {
    flow.pace(periodMs, count);
    for (let index = 0; index < count; index++) flow.push(made++);
  };
  return { flow, shown, burst };
}

test('tokens that need no pacing are released at once', () => {
  const { shown, burst } = openFlow();
  burst(0, 3);
  expect(shown.map(({ item }) => item)).toEqual([0, 1, 2]);
});

test('bursts of five in a second come out as five a second, each as far from the next, though every other is late', () => {
  const { shown, burst } = openFlow();
  for (let period = 0; period < 20; period++) {
    burst(1000, 5);
    vi.advanceTimersByTime(period % 2 === 0 ? 1200 : 800);
  }
  const gaps = shown.map(({ at }, index) => at - (shown[index - 1]?.at ?? 0)).slice(25);
  expect(Math.min(...gaps)).toBeGreaterThan(150);
  expect(Math.max(...gaps)).toBeLessThan(300);
});

test('never more than one burst is held back, and all is released when pacing ends', () => {
  const { flow, shown, burst } = openFlow();
  for (let period = 1; period <= 50; period++) {
    burst(1000, 5);
    vi.advanceTimersByTime(1000);
    expect(5 * period - shown.length).toBeLessThanOrEqual(5);
  }
  flow.pace(0, 1);
  expect(shown).toHaveLength(250);
  expect(vi.getTimerCount()).toBe(0);
});

test('however bursts arrive, every token is released once, in order', () => {
  const bursts = fc.array(fc.record({ periodMs: fc.nat(2000), count: fc.nat(8), tookMs: fc.nat(3000) }));
  fc.assert(
    fc.property(bursts, (each) => {
      const { flow, shown, burst } = openFlow();
      for (const { periodMs, count, tookMs } of each) {
        burst(periodMs, count);
        vi.advanceTimersByTime(tookMs);
      }
      flow.pace(0, 1);
      expect(shown.map(({ item }) => item)).toEqual(shown.map((_, index) => index));
      expect(shown).toHaveLength(each.reduce((sum, { count }) => sum + count, 0));
    }),
  );
});

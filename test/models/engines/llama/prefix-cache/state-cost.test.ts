import { describe, expect, test } from 'vitest';
import { createStateCost, paysOff } from '../../../../../models/engines/llama/prefix-cache/state-cost.ts';

const MEGABYTE = 1e6;

describe('a state', () => {
  test.each([
    ['keep', { tokens: 255, prefillMs: 5000, stateMs: 1 }, false],
    ['keep', { tokens: 256, prefillMs: 5000, stateMs: 1 }, true],
    ['keep', { tokens: 1800, prefillMs: 5000, stateMs: 2400 }, true],
    ['keep', { tokens: 1800, prefillMs: 5000, stateMs: 2600 }, false],
    ['keep', { tokens: 1800, prefillMs: 1, stateMs: 10 }, true],
    ['restore', { tokens: 31, prefillMs: 5000, stateMs: 1 }, false],
    ['restore', { tokens: 32, prefillMs: 500, stateMs: 499 }, true],
    ['restore', { tokens: 32, prefillMs: 500, stateMs: 501 }, false],
  ] as const)('to %s with %o pays off: %s', (use, costs, pays) => {
    expect(paysOff(use, costs)).toBe(pays);
  });

  test('is tried as long as the cost is unknown', () => {
    const unknown = { tokens: 1800, prefillMs: undefined, stateMs: 1e9 };
    expect(paysOff('keep', unknown)).toBe(true);
    expect(paysOff('restore', { ...unknown, prefillMs: 1, stateMs: undefined })).toBe(true);
  });
});

describe('the cost of a state', () => {
  test('is known after three measurements, and ignores a busy moment', () => {
    const cost = createStateCost();
    expect([cost.bytesOf(100), cost.keepMs(100), cost.restoreMs(MEGABYTE)]).toEqual([
      0,
      undefined,
      undefined,
    ]);
    for (const ms of [900, 100, 500]) cost.onSaved({ bytes: 100 * MEGABYTE, tokens: 1000, ms });
    expect(cost.bytesOf(500)).toBe(50 * MEGABYTE);
    expect(cost.keepMs(500)).toBeCloseTo(100);
    for (const ms of [40, 400, 40]) cost.onRestored({ bytes: 100 * MEGABYTE, ms });
    expect(cost.restoreMs(50 * MEGABYTE)).toBeCloseTo(20);
    expect(cost.keepMs(500)).toBeCloseTo(70);
  });
});

import { expect, test } from 'vitest';
import { createPrefillPace } from '../../../../models/engines/llama/prefill-pace.ts';

test('a prompt beside running answers comes in smaller pieces than a prompt alone', () => {
  const pace = createPrefillPace(512);
  pace.observe({ promptTokens: 64, ms: 128 });
  const alone = pace.promptTokensEach({ reading: 1, writing: 0 });
  const beside = pace.promptTokensEach({ reading: 1, writing: 3 });
  expect([alone, beside]).toEqual([250, 75]);
});

test('what is read in one step is shared among those who read', () => {
  const pace = createPrefillPace(512);
  pace.observe({ promptTokens: 100, ms: 1 });
  expect(pace.promptTokensEach({ reading: 4, writing: 0 })).toBe(128);
  expect(pace.promptTokensEach({ reading: 0, writing: 2 })).toBe(0);
});

test.each([1, 3, 8, 100])('a step never exceeds the batch, and each of %d readers advances', (reading) => {
  for (const msPerToken of [0.001, 1, 100]) {
    const pace = createPrefillPace(128);
    pace.observe({ promptTokens: 64, ms: 64 * msPerToken });
    const each = pace.promptTokensEach({ reading, writing: 20 });
    expect(each).toBeGreaterThanOrEqual(1);
    expect(each * reading + 20).toBeLessThanOrEqual(128);
  }
});

import { expect, test } from 'vitest';
import { slidingWindowOf } from '../../../../src/library/formats/sliding-window.ts';

const facts = { layers: 26, windowTokens: 1024, period: undefined, windowedLayers: undefined };

test.each([
  ['gemma3', 22],
  ['gemma2', 13],
  ['gpt-oss', 13],
  ['smallthinker', 19],
])('%s has a window in %i of 26 layers', (architecture, layers) => {
  expect(slidingWindowOf({ ...facts, architecture })).toEqual({ tokens: 1024, layers });
});

test('what the file says takes precedence, and a model without a window has none', () => {
  expect(slidingWindowOf({ ...facts, architecture: 'gemma3', period: 2 })?.layers).toBe(13);
  expect(slidingWindowOf({ ...facts, architecture: 'gemma4', windowedLayers: 20 })?.layers).toBe(20);
  expect(slidingWindowOf({ ...facts, architecture: 'llama' })).toBeUndefined();
  expect(slidingWindowOf({ ...facts, architecture: 'gemma3', windowTokens: undefined })).toBeUndefined();
});

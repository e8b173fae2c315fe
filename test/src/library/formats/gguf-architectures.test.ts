import { GgufArchitectureType } from 'node-llama-cpp';
import { expect, test } from 'vitest';
import { isKnownArchitecture } from '../../../../src/library/formats/gguf-architectures.ts';

test('the list of architectures is that of the engine', () => {
  const names = Object.values(GgufArchitectureType).filter((name) => !['clip', '(unknown)'].includes(name));
  expect(names.filter((name) => !isKnownArchitecture(name))).toEqual([]);
  expect(isKnownArchitecture('gptoss')).toBe(false);
  expect(isKnownArchitecture('clip')).toBe(false);
});

import { expect, test } from 'vitest';
import { isKnownArchitecture } from '../../../../src/library/formats/gguf-architectures.ts';

test('the list of architectures is that of the engine', async () => {
  // It is declared as a constant enum, which has no value for the compiler.
  const engine = (await import('node-llama-cpp')) as unknown as {
    GgufArchitectureType: Record<string, string>;
  };
  const names = Object.values(engine.GgufArchitectureType).filter(
    (name) => !['clip', '(unknown)'].includes(name),
  );
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter((name) => !isKnownArchitecture(name))).toEqual([]);
  expect(isKnownArchitecture('gptoss')).toBe(false);
  expect(isKnownArchitecture('clip')).toBe(false);
});

import { expect, test } from 'vitest';
import { bundledArchitectures, bundledRelease } from '../../../../scripts/fixtures/llama-files.ts';
import {
  isKnownArchitecture,
  KNOWN_ARCHITECTURES,
  LLAMA_CPP_RELEASE,
} from '../../../../src/library/formats/gguf-architectures.ts';

/** Its files hold the encoders of other models. */
const ENCODER_FILES = 'clip';

test('the list of architectures and the release are those of the llama.cpp that is shipped', () => {
  const shipped = bundledArchitectures().filter((name) => name !== ENCODER_FILES);
  expect(shipped.length).toBeGreaterThan(140);
  expect(KNOWN_ARCHITECTURES).toEqual(shipped.toSorted());
  expect(LLAMA_CPP_RELEASE).toBe(bundledRelease());
});

test("an architecture under another program's name for it is unknown", () => {
  expect(isKnownArchitecture('gpt-oss')).toBe(true);
  expect(isKnownArchitecture('gptoss')).toBe(false);
  expect(isKnownArchitecture(ENCODER_FILES)).toBe(false);
});

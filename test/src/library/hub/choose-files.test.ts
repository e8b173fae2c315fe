import { expect, test } from 'vitest';
import { findDownloaded } from '../../../../src/library/hub/choose-files.ts';

const downloaded = [
  'hf:org/tiny/tiny-Q4_K_M.gguf',
  'hf:org/tiny/tiny-Q8_0.gguf',
  'hf:org/single/odd-name.gguf',
  'hf:org/tiny@v2/tiny-F16.gguf',
  'hf:org/tiny-longer/tiny-Q5_K_M.gguf',
].map((id) => ({ id }));

test.each([
  ['hf:org/tiny', 'hf:org/tiny/tiny-Q4_K_M.gguf'],
  ['hf:org/tiny:Q8_0', 'hf:org/tiny/tiny-Q8_0.gguf'],
  ['hf:org/tiny:q8_0', 'hf:org/tiny/tiny-Q8_0.gguf'],
  ['hf:org/tiny:Q6_K', undefined],
  ['hf:org/tiny@v2', 'hf:org/tiny@v2/tiny-F16.gguf'],
  ['hf:org/tiny@v3', undefined],
  ['hf:org/single', 'hf:org/single/odd-name.gguf'],
  ['hf:org/none', undefined],
  ['hf:org/tiny/tiny-Q6_K.gguf', undefined],
  ['hf:org/tiny/other.gguf', undefined],
])('%s is the download %s', (name, id) => {
  expect(findDownloaded(name, downloaded)?.id).toBe(id);
});

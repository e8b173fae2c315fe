import { expect, test } from 'vitest';
import { notInstalled, pullCommand } from '../../../src/library/missing.ts';
import type { ModelManifest } from '../../../src/runtime/manifest.ts';

const MODEL: ModelManifest = {
  id: 'small',
  name: 'Small',
  engine: 'llama',
  tasks: ['chat'],
  services: [],
  tier: 'imported',
  licence: 'unknown',
  path: '/models/small.gguf',
  bytes: 53_700,
  contextTokensMax: 128,
};

test.each([
  [53_700, '53.7 KB'],
  [1_200_000, '1.2 MB'],
  [634_900_000, '635 MB'],
  [2_149_000_000, '2.1 GB'],
])('a download of %i bytes is shown as %s', (bytes, size) => {
  expect(pullCommand('small', { ...MODEL, bytes })).toBe(`askd pull small (${size})`);
});

test('a model whose file is gone is imported again or replaced', () => {
  const { message } = notInstalled('small', { artifact: MODEL });
  expect(message).toContain('its file /models/small.gguf is missing');
  expect(message).toContain('askd bind small NAME');
});

test('scripted answers whose file is gone are given another file', () => {
  const scripted: ModelManifest = { ...MODEL, id: 'scripted', engine: 'script', path: '/tests/answers.yaml' };
  expect(notInstalled('scripted', { artifact: scripted }).message).toBe(
    'The model `scripted` is not installed: its file /tests/answers.yaml is missing. Restore it, or name another: askd config set scripted_answers FILE',
  );
});

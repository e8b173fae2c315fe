import { expect, test } from 'vitest';
import { textPieces } from '../../../models/engines/chunks.ts';

test.each([
  ['words', 'word '.repeat(20_000)],
  ['one word', 'x'.repeat(100_000)],
  ['characters of two halves', '🙂'.repeat(50_001)],
  ['the same behind a letter', `a${'🙂'.repeat(50_000)}`],
  ['nothing', ''],
])('the pieces of a text of %s are the text, and cut no character', (_, text) => {
  const pieces = [...textPieces(text)];
  expect(pieces.join('')).toBe(text);
  expect(pieces.map((piece) => Buffer.from(piece).toString())).toEqual(pieces);
});

import { expect, test } from 'vitest';
import { snippetOf } from '../../../../src/responses/chats/snippet.ts';

const marked = (text: string, ...words: string[]) => {
  const { snippet, marks } = snippetOf(text, words);
  return { snippet, found: marks.map(([from, to]) => snippet.slice(from, to)) };
};

test('a short text is shown whole, and every word is marked, however it is written', () => {
  expect(marked('A Café,\na cafe', 'cafe')).toEqual({ snippet: 'A Café, a cafe', found: ['Café', 'cafe'] });
});

test('a long text is cut on both sides of the first word, and no character is split', () => {
  const { snippet, found } = marked(`${'😀'.repeat(101)} here ${'🎉'.repeat(200)}`, 'here');
  expect(found).toEqual(['here']);
  expect(snippet).toMatch(/^…😀+ here 🎉+…$/u);
});

test('words that overlap are one mark', () => {
  expect(marked('underground', 'undergr', 'ground').found).toEqual(['underground']);
});

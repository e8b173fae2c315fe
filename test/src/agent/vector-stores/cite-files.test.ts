import { expect, test } from 'vitest';
import { citeFiles } from '../../../../src/agent/vector-stores/cite-files.ts';
import type { FileHit } from '../../../../src/agent/vector-stores/search-files.ts';

const passage = (name: string, text: string): FileHit => ({
  ...{ fileId: `file_${name}`, name, attributes: {}, heading: '', page: null, text, score: 1 },
});
const PASSAGES = [
  passage('soup.md', 'Peel the onions. Soup is boiled for ninety minutes. Serve it hot.'),
  passage('bread.md', 'Bread rests overnight in the cellar. It is baked at dawn.'),
];

test('a number cites its passage, with the sentence that supports the text before it', () => {
  const text = 'The soup boils for ninety minutes [1]. Bread is baked at dawn [2].';
  expect(citeFiles(text, PASSAGES)).toEqual([
    {
      index: 34,
      fileId: 'file_soup.md',
      name: 'soup.md',
      page: null,
      quote: 'Soup is boiled for ninety minutes.',
    },
    { index: 62, fileId: 'file_bread.md', name: 'bread.md', page: null, quote: 'It is baked at dawn.' },
  ]);
  expect(text.slice(34, 37)).toBe('[1]');
});

test('several numbers in one mark cite several passages', () => {
  expect(citeFiles('Cooking takes long [1, 2].', PASSAGES).map(({ name }) => name)).toEqual([
    'soup.md',
    'bread.md',
  ]);
});

test('a number that no passage has cites nothing, and neither does one in code', () => {
  expect(citeFiles('So it is [7].', PASSAGES)).toEqual([]);
  expect(citeFiles('See this:\n```\nlist[1] = soup\n```\n', PASSAGES)).toEqual([]);
  expect(citeFiles('So it is [1].', [])).toEqual([]);
});

test('an answer without numbers is cited by its words, if they are those of a passage', () => {
  const found = citeFiles('Bread rests overnight in a cellar. I like trains.', PASSAGES);
  expect(found).toEqual([
    {
      index: 34,
      fileId: 'file_bread.md',
      name: 'bread.md',
      page: null,
      quote: 'Bread rests overnight in the cellar.',
    },
  ]);
});

test('hostile text is handled quickly, even a million brackets', () => {
  expect(citeFiles('['.repeat(100_000) + '1'.repeat(1000), PASSAGES)).toEqual([]);
});

import { expect, test } from 'vitest';
import { wrapFields, wrapText } from '../../../cli/output/wrap.ts';

test('text is wrapped between words and keeps its indent; a longer word stays whole', () => {
  expect(wrapText('  one two three askd-config-set', 10)).toEqual([
    '  one two',
    '  three',
    '  askd-config-set',
  ]);
  expect(wrapText('', 10)).toEqual(['']);
});

test('a long value goes on below itself, and has room for a few words at least', () => {
  const fields = [
    ['a', 'one two three'],
    ['name', 'one'],
  ] as const;
  expect(wrapFields(fields, 20)).toEqual([
    ['a', 'one two three'],
    ['name', 'one'],
  ]);
  expect(wrapFields(fields, 18)).toEqual([
    ['a', 'one two'],
    ['', 'three'],
    ['name', 'one'],
  ]);
  expect(wrapFields(fields, 5)).toEqual([
    ['a', 'one two'],
    ['', 'three'],
    ['name', 'one'],
  ]);
});

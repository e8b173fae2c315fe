import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHighlighter } from '../../../../cli/output/markdown/highlight.ts';
import { LANGUAGES, TOKEN } from '../../../../cli/output/markdown/languages.ts';

function tokens(language: string, ...lines: string[]): [string, string][] {
  const highlight = createHighlighter(language);
  return lines.flatMap((line) =>
    highlight(line)
      .filter(({ style }) => style !== '')
      .map(({ text, style }): [string, string] => [text, style]),
  );
}

const { keyword, string, comment, number, name } = TOKEN;

test.each([
  [
    'ts',
    'const a = f(1); // "no"',
    [
      ['const', keyword],
      ['f', name],
      ['1', number],
      ['// "no"', comment],
    ],
  ],
  [
    'python',
    `def go(x): return 'a\\'b' # it's`,
    [
      ['def', keyword],
      ['go', name],
      ['return', keyword],
      [`'a\\'b'`, string],
      [`# it's`, comment],
    ],
  ],
  [
    'rust',
    "fn a<'b>(c: &'b str)",
    [
      ['fn', keyword],
      ['str', keyword],
    ],
  ],
  [
    'bash',
    'echo "$HOME" ${#x} # end',
    [
      ['echo', keyword],
      ['"$HOME"', string],
      ['${#x}', name],
      ['# end', comment],
    ],
  ],
  [
    'json',
    '{"a": [true, 1.5, "b"]}',
    [
      ['"a"', name],
      ['true', keyword],
      ['1.5', number],
      ['"b"', string],
    ],
  ],
  [
    'yaml',
    'a.b: yes # why',
    [
      ['a.b', name],
      ['yes', keyword],
      ['# why', comment],
    ],
  ],
  [
    'sql',
    'SELECT a FROM b -- c',
    [
      ['SELECT', keyword],
      ['FROM', keyword],
      ['-- c', comment],
    ],
  ],
  [
    'html',
    '<a href="x">it</a>',
    [
      ['<a', keyword],
      ['href', name],
      ['"x"', string],
      ['>', keyword],
      ['</a', keyword],
      ['>', keyword],
    ],
  ],
  ['diff', '+ new', [['+ new', string]]],
] as const)('%s: %s', (language, line, expected) => expect(tokens(language, line)).toEqual(expected));

test('a comment and a string may span lines', () => {
  expect(tokens('js', 'a /* b', 'c */ if')).toEqual([
    ['/* b', comment],
    ['c */', comment],
    ['if', keyword],
  ]);
  expect(tokens('py', '"""a', 'if', 'b""" if')).toEqual([
    ['"""a', string],
    ['if', string],
    ['b"""', string],
    ['if', keyword],
  ]);
});

test('the name of a language may be among other words, and may be unknown', () => {
  expect(tokens('{.JS title=x}', 'if')).toEqual([['if', keyword]]);
  expect(tokens('brainfuck', 'if')).toEqual([]);
  expect(tokens('', 'if')).toEqual([]);
});

test('no language changes a character of the code', () => {
  const line = fc.string({ unit: fc.constantFrom(...`abif 01'"\`/*#<>-=$([{\\\t漢😀`) });
  fc.assert(
    fc.property(fc.constantFrom(...LANGUAGES.keys()), fc.array(line), (language, lines) => {
      const highlight = createHighlighter(language);
      for (const each of lines)
        expect(
          highlight(each)
            .map(({ text }) => text)
            .join(''),
        ).toBe(each);
    }),
    { numRuns: 500 },
  );
});

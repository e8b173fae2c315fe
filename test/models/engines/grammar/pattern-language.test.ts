import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLanguages } from '../../../../models/engines/grammar/language.ts';
import { patternLanguage } from '../../../../models/engines/grammar/pattern-language.ts';
import { parsePattern, PatternRefusal } from '../../../../models/engines/grammar/pattern-syntax.ts';

/** Whether the text is in the language of the pattern, character by character. */
function finds(pattern: string, text: string): boolean {
  let steps = 0;
  const languages = createLanguages((more) => {
    steps += more;
    if (steps > 1_000_000) throw new PatternRefusal('too many');
  });
  const start = patternLanguage(parsePattern(pattern), languages);
  return [...text].reduce((state, character) => languages.after(state, character.codePointAt(0) ?? 0), start)
    .hasEmpty;
}

const ATOMS = [
  'a',
  'b',
  'c',
  '.',
  '[ab]',
  '[^a]',
  '\\d',
  '\\W',
  '\\s',
  '1',
  ' ',
  'é',
  '😀',
  '[a-c1]',
  '\\u0061',
];
const COUNTS = ['*', '+', '?', '{2}', '{1,}', '{0,2}', '*?'];

const anyPattern = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(...ATOMS),
    fc.tuple(fc.constantFrom(...ATOMS), fc.constantFrom(...COUNTS)).map((parts) => parts.join('')),
    fc.tuple(tie('pattern'), tie('pattern')).map((parts) => parts.join('')),
    fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `(?:${one}|${other})`),
    fc.tuple(tie('pattern'), fc.constantFrom(...COUNTS)).map(([part, count]) => `(${part})${count}`),
    fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `${one}|${other}`),
    tie('pattern').map((part) => `^${part}`),
    tie('pattern').map((part) => `${part}$`),
    tie('pattern').map((part) => `(?=${part})`),
    tie('pattern').map((part) => `(?!${part})`),
  ),
})).pattern;

/** Without surrogate pairs: V8 looks ahead from between the halves of one, against the specification. */
const anyText = fc
  .array(fc.constantFrom('a', 'b', 'c', '1', ' ', 'é', '\n', '_'), { maxLength: 6 })
  .map((characters) => characters.join(''));

test("a pattern matches what JavaScript's regular expressions match", () => {
  let compared = 0;
  fc.assert(
    fc.property(anyPattern, fc.array(anyText, { minLength: 8, maxLength: 8 }), (pattern, texts) => {
      for (const text of texts) {
        let isFound: boolean;
        try {
          isFound = finds(pattern, text);
        } catch (error) {
          if (error instanceof PatternRefusal) return;
          throw error;
        }
        compared += 1;
        expect([pattern, text, isFound]).toEqual([pattern, text, new RegExp(pattern, 'u').test(text)]);
      }
    }),
    { numRuns: Number(process.env['RUNS'] ?? 1500) },
  );
  expect(compared).toBeGreaterThan(5000);
});

test.each([
  ['^A|B|C|D$', ['A', 'Ax', 'xBx', 'xD', 'C'], ['xA', 'Dx', '']],
  ['^(?!foo)\\w+$', ['bar', 'fo', 'barfoo'], ['foo', 'foobar']],
  ['^(?=.*\\d)(?=.*[a-z]).{4,}$', ['abc1', '1x  '], ['abcd', '1234', 'a1']],
  ['^$|^x+$', ['', 'xx'], ['y', 'xy']],
  ['^(?<year>\\d{4})$', ['2026'], ['20260']],
  ['\\p{L}\\P{L}', ['é1', '  ß.'], ['éé', '11']],
  ['^[\\s\\S]$', ['\n', '"', '\\'], ['', 'ab']],
  ['^[\\w-]+$', ['a-b'], ['a b']],
  ['^\\x41\\u{1F600}\\t$', ['A😀\t'], ['A😀']],
  ['^[^a]{2}$', ['😀é'], ['😀']],
])('%s', (pattern, found, others) => {
  for (const text of found) expect([text, finds(pattern, text)]).toEqual([text, true]);
  for (const text of others) expect([text, finds(pattern, text)]).toEqual([text, false]);
});

test.each([
  ['(?<=a)b', 'look-behind'],
  ['(a)\\1', '"\\1" is not supported'],
  ['a\\b', '"\\b" is not supported'],
  ['(a', 'a group is not closed'],
  ['a)', 'an unmatched ")"'],
  ['[b-a]', 'reversed'],
  ['[', 'a character class is not closed'],
  ['*', 'nothing to repeat'],
  ['a{2,1}', 'reversed'],
  ['a{1001}', 'too large'],
  ['(?i)a', 'unknown prefix'],
  ['\\p{Elvish}', 'not a Unicode property'],
  ['('.repeat(200), 'nested deeper'],
  ['a'.repeat(5000), 'longer than'],
  ['(a?^b)', '"^" follows'],
  ['(?:^a){2}', 'repeats an anchor'],
])('%s is refused with the reason', (pattern, reason) => {
  expect(() => finds(pattern, 'a')).toThrow(PatternRefusal);
  expect(() => finds(pattern, 'a')).toThrow(reason);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createStreamSanitiser, sanitise, sanitiseLine } from '../../../cli/output/sanitise.ts';

test.each([
  ['\u001b[31mred\u001b[0m', 'red'],
  ['\u001b]0;a title\u0007text', 'text'],
  ['\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\', 'link'],
  ['\u001bPq payload\u001b\\text', 'text'],
  ['\u001bc\u001b(Breset', 'reset'],
  ['a\rb\u0008c\u0000d\u007f', 'abcd'],
  ['\u009b31mC1', '31mC1'],
  ['right\u202eleft\u2066inner\u2069\u200f', 'rightleftinner'],
  ['a lone \u001b]opener', 'a lone opener'],
  ['kept:\n\tGrüße, 日本語 👩‍👩‍👧 [31m', 'kept:\n\tGrüße, 日本語 👩‍👩‍👧 [31m'],
])('%j is shown as %j', (text, shown) => {
  expect(sanitise(text)).toBe(shown);
});

test('a table cell has no line breaks', () => {
  expect(sanitiseLine('a\n\nb\tc\u001b[1m')).toBe('a b c');
});

test('a sequence that is split between chunks is still taken out', () => {
  const sanitiser = createStreamSanitiser();
  const shown = ['one \u001b', '[3', '1mtwo\u001b]0;ti', 'tle\u0007 three\u001b'].map((chunk) =>
    sanitiser.push(chunk),
  );
  expect(shown.join('') + sanitiser.end()).toBe('one two three');
});

test('a stream in any pieces shows what the whole text shows, and never an escape', () => {
  const piece = fc.constantFrom('\u001b', '[', '31m', ']0;t', '\u0007', '\\', 'text ', '\n', '\u202e');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const sanitiser = createStreamSanitiser();
      const shown = pieces.map((chunk) => sanitiser.push(chunk)).join('') + sanitiser.end();
      expect(shown).toBe(sanitise(pieces.join('')));
      for (const control of ['\u001b', '\u0007', '\u202e']) expect(shown).not.toContain(control);
    }),
  );
});

test('a sequence that never ends holds back little', () => {
  const sanitiser = createStreamSanitiser();
  const shown = sanitiser.push(`\u001b]${'x'.repeat(300)}`);
  expect(shown).toBe('x'.repeat(300));
});

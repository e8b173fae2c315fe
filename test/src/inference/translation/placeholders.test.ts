import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  findPlaceholders,
  keepsPlaceholders,
  splitPlaceholders,
} from '../../../../src/inference/translation/placeholders.ts';

test.each([
  ['Hello {name}!', ['{name}']],
  ['{{user.first}} has ${count} of %1$d', ['{{user.first}}', '${count}', '%1$d']],
  ['%s is 50% off, %.2f left, %(total)s', ['%s', '%.2f', '%(total)s']],
  ['Run `npm install` at https://example.com/a?b=c now', ['`npm install`', 'https://example.com/a?b=c']],
  ['A <b>bold</b> word', ['<b>', '</b>']],
  ['no values here, 3 < 4', []],
])('in %j are %j', (text, expected) => {
  expect(findPlaceholders(text)).toEqual(expected);
});

test('may change their order, but none may be lost, added or changed', () => {
  expect(keepsPlaceholders('{a} of {b}', '{b}: {a}')).toBe(true);
  for (const broken of ['{a} von', '{a} von {b} und {b}', '{a} von {B}', 'a von b']) {
    expect(keepsPlaceholders('{a} of {b}', broken)).toBe(false);
  }
});

test('split from a text and joined again give the same text', () => {
  const piece = fc.constantFrom('{a}', '%s', '`x`', ' words ', '{', '}', '%', '<i>', 'https://a.b/c', '\n');
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join('');
      expect(
        splitPlaceholders(text)
          .map((part) => part.text)
          .join(''),
      ).toBe(text);
    }),
  );
});

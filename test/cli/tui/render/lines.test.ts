import fc from 'fast-check';
import { expect, test } from 'vitest';
import { definition, paragraph, textOf } from '../../../../cli/tui/render/lines.ts';
import { displayWidth } from '../../../../cli/output/display-width.ts';

test('a paragraph loses no letter, and no line of it is wider than there is room', () => {
  const letter = fc.constantFrom('a', 'b', 'longer', ' ', ' ', 'é', '漢', '–', '\n');
  const text = fc.array(letter, { maxLength: 200 }).map((letters) => letters.join(''));
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 30 }), (given, width) => {
      const lines = paragraph(given, width).map(textOf);
      expect(lines.join('').replace(/\s/g, '')).toBe(given.replace(/\s/g, ''));
      for (const each of lines) expect(displayWidth(each.trimEnd())).toBeLessThanOrEqual(width);
    }),
  );
});

test('what a term means stays in its own column', () => {
  const lines = definition('  f1, ?    the keys of this screen', 22).map(textOf);
  expect(lines).toEqual(['  f1, ?    the keys of', '           this screen']);
  expect(definition('no term at all', 8).map(textOf)).toEqual(['no term', 'at all']);
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutSegments, joinSegments } from '../../../../src/inference/translation/segments.ts';

const translatable = (text: string) =>
  cutSegments(text)
    .filter(({ kind }) => kind === 'translate')
    .map((segment) => segment.text);

describe('a text split for translation', () => {
  test('joined again is the same text, whatever it is', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(
        '\n',
        '\r\n',
        '\r',
        '  ',
        '\t',
        '- ',
        '12. ',
        '> ',
        '# ',
        '```',
        'A word. ',
        'Ende! ',
        '。',
        '…',
      ),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join('');
        expect(joinSegments(cutSegments(text))).toBe(text);
      }),
    );
  });

  test('of any length joined again is the same, in pieces that are not too long', () => {
    const sentence = fc.array(fc.constantFrom('word', 'a', 'Straße', '世界', '😀', 'x'.repeat(700)), {
      minLength: 1,
    });
    fc.assert(
      fc.property(fc.array(sentence, { minLength: 10, maxLength: 40 }), (sentences) => {
        const text = sentences.map((words) => `${words.join(' ')}. `).join('');
        expect(joinSegments(cutSegments(text))).toBe(text);
        for (const part of translatable(text)) expect(part.length).toBeLessThanOrEqual(600);
      }),
    );
  });

  test('keeps lines, indentation and list markers', () => {
    expect(translatable('# Title\n\n  - one thing\n  2) another\n> quoted\n\n---\n12345\n')).toEqual([
      'Title',
      'one thing',
      'another',
      'quoted',
    ]);
  });

  test('keeps blocks of code', () => {
    expect(translatable('Run this:\n```sh\nnpm install\n```\nThen wait.')).toEqual([
      'Run this:',
      'Then wait.',
    ]);
  });

  test('keeps sentences together that fit', () => {
    const sentence = `Word ${'word '.repeat(49).trim()}. `;
    expect(translatable(sentence.repeat(4)).map(({ length }) => length)).toEqual([501, 501]);
    expect(translatable('One. Two. Three.')).toEqual(['One. Two. Three.']);
  });
});

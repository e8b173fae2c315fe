import { describe, expect, test } from 'vitest';
import { cleanAnswer } from '../../../../src/inference/translation/clean-answer.ts';

describe('the translation of "Good morning." in', () => {
  test.each([
    'Bonjour.',
    '  Bonjour.\n',
    '"Bonjour."',
    '« Bonjour. »',
    '“Bonjour.”',
    '**Bonjour.**',
    'Translation: Bonjour.',
    'French translation: "Bonjour."',
    "Here's the translation:\n\nBonjour.",
    'Sure! Here is the French translation of the text:\n\n"Bonjour."',
    'Certainly!\n\nBonjour.',
    'The translation is: Bonjour.',
    '```\nBonjour.\n```',
    '```text\nBonjour.\n```\n\nThis is a greeting.',
    '<think>The user wants French. "Bonjour" it is.</think>\n\nBonjour.',
    'Bonjour.\n\n(Note: this is a formal greeting.)',
    'Bonjour.\nNote: "Salut" is less formal.',
    'Bonjour.\n\nLet me know if you need anything else!',
  ])('%j is only the translation', (answer) => {
    expect(cleanAnswer(answer, 'Good morning.')).toBe('Bonjour.');
  });
});

describe('what is also in the source is kept:', () => {
  test.each([
    ['"Good morning," she said.', '« Bonjour », dit-elle.', '« Bonjour », dit-elle.'],
    ['"Good morning"', '"Bonjour"', '"Bonjour"'],
    ['Note: keep this dry.', 'Note : gardez au sec.', 'Note : gardez au sec.'],
    [
      'Translation: a hard craft.',
      'Translation : un métier difficile.',
      'Translation : un métier difficile.',
    ],
    ['**Warning**', '**Attention**', '**Attention**'],
    ['He said "yes" and "no"', '"oui" et "non", dit-il : "bien"', '"oui" et "non", dit-il : "bien"'],
    ['Time: 10:30', 'Heure : 10:30', 'Heure : 10:30'],
  ])('%j', (source, answer, expected) => {
    expect(cleanAnswer(answer, source)).toBe(expected);
  });
});

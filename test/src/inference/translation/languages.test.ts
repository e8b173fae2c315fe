import { describe, expect, test } from 'vitest';
import { readLanguage } from '../../../../src/inference/translation/languages.ts';

describe('a language', () => {
  test.each([
    ['fr', 'fr', 'French'],
    ['FR', 'fr', 'French'],
    ['fra', 'fr', 'French'],
    ['French', 'fr', 'French'],
    ['  french ', 'fr', 'French'],
    ['français', 'fr', 'French'],
    ['francais', 'fr', 'French'],
    ['Deutsch', 'de', 'German'],
    ['日本語', 'ja', 'Japanese'],
    ['русский', 'ru', 'Russian'],
    ['fr-CA', 'fr', 'Canadian French'],
    ['fr_CA', 'fr', 'Canadian French'],
    ['Brazilian Portuguese', 'pt', 'Brazilian Portuguese'],
    ['Portuguese (Brazil)', 'pt', 'Brazilian Portuguese'],
    ['Simplified Chinese', 'zh', 'Simplified Chinese'],
    ['zh-Hant', 'zh', 'Traditional Chinese'],
    ['Mandarin', 'zh', 'Chinese'],
    ['haw', 'haw', 'Hawaiian'],
  ])('called %j is %s, %s', (text, code, name) => {
    expect(readLanguage(text, 'target_language')).toEqual({ code, name });
  });

  test.each([
    ['Frensh', 'French'],
    ['Germn', 'German'],
    ['Japanes', 'Japanese'],
  ])('called %j is unknown, and %s is suggested', (text, suggestion) => {
    expect(() => readLanguage(text, 'target_language')).toThrowError(
      expect.objectContaining({
        code: 'invalid_value',
        param: 'target_language',
        message: expect.stringContaining(suggestion) as string,
      }) as Error,
    );
  });

  test.each(['Klingonese!!', 'xx', '', '123'])('called %j is refused', (text) => {
    expect(() => readLanguage(text, 'source_language')).toThrowError(/not a known language/);
  });
});

import type { Code } from './languages.ts';

type Rule = readonly [pattern: RegExp, by: string | ((...found: string[]) => string)];

const word = (source: string) => new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, 'gu');
const ITALIAN: Record<string, string> = { di: 'de', a: 'a', da: 'da', in: 'ne', su: 'su' };
const ITALIAN_ENDS: Record<string, string> = {
  il: 'l',
  lo: 'llo',
  la: 'lla',
  i: 'i',
  gli: 'gli',
  le: 'lle',
};

/** What each language makes of two words that meet: "à le" is "au", "de un" is "d'un", "in dem" is "im". */
const RULES: Record<Code, readonly Rule[]> = {
  en: [],
  de: [
    [word('in dem'), 'im'],
    [word('an dem'), 'am'],
    [word('zu dem'), 'zum'],
    [word('zu der'), 'zur'],
  ],
  fr: [
    [word('à le'), 'au'],
    [word('à les'), 'aux'],
    [word('de le'), 'du'],
    [word('de les'), 'des'],
    [/(?<!\p{L})([jJ]|[dDnN])e (?=[aeiouhéèêàœAEIOUÉÈ])/gu, (_, first = '') => `${first}'`],
  ],
  es: [
    [word('a el'), 'al'],
    [word('de el'), 'del'],
    [/ y (?=h?i(?![aeo]))/giu, ' e '],
  ],
  it: [
    [
      /(?<!\p{L})(di|a|da|in|su) (il|lo|la|i|gli|le)(?!\p{L})/gu,
      (_, first = '', then = '') => `${ITALIAN[first] ?? ''}${ITALIAN_ENDS[then] ?? ''}`,
    ],
    [/(?<!\p{L})(di|a|da|in|su) l'/gu, (_, first = '') => `${ITALIAN[first] ?? ''}ll'`],
    [/(?<!\p{L})a (?=A)/gu, 'ad '],
    [/ e (?=[eE])/gu, ' ed '],
  ],
  pt: [
    [word('a o(s?)'), (_, s = '') => `ao${s}`],
    [word('a a(s?)'), (_, s = '') => `à${s}`],
    [word('de ([oa]s?)'), (_, article = '') => `d${article}`],
    [word('em ([oa]s?)'), (_, article = '') => `n${article}`],
    [word('em (uma?)'), (_, article = '') => `n${article}`],
  ],
};

export function contracted(code: Code, text: string): string {
  return RULES[code].reduce((done, [pattern, by]) => done.replace(pattern, by as string), text);
}

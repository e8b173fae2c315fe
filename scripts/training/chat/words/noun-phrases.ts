import type { Adjective, Agreeing } from './adjectives.ts';
import type { Code } from './languages.ts';
import type { Gender, Inflected, Noun } from './nouns.ts';

export type Determiner = 'the' | 'a' | 'no' | 'my' | 'our' | 'this' | 'none';
export type Case = 'nom' | 'acc' | 'dat';
export type Wanted = {
  determiner: Determiner;
  isMany: boolean;
  /** Shows in German alone. */
  case: Case;
  adjective?: Adjective;
};

/** An article, an adjective and a noun as one of the languages puts them. What contracts with a preposition comes later. */
export function nounPhrase(code: Code, noun: Noun, wanted: Wanted): string {
  const inflected = noun.forms[code];
  const word = wanted.isMany ? inflected.many : inflected.one;
  if (word === '') throw new Error(`"${inflected.one}" is not counted`);
  if (code === 'de') return german(word, inflected.gender, wanted);
  const adjective = wanted.adjective && agreed(wanted.adjective.forms[code], inflected.gender, wanted.isMany);
  const stands = code === 'en' || (code === 'fr' && isBefore(wanted.adjective)) ? 'before' : 'after';
  let rest = word;
  if (adjective !== undefined) rest = stands === 'before' ? `${adjective} ${word}` : `${word} ${adjective}`;
  if (code === 'fr' && stands === 'before' && startsWithVowel(word)) rest = withBelle(rest, inflected.gender);
  if (wanted.determiner === 'none') return rest;
  return DETERMINERS[code](rest, inflected, wanted, noun.tag === 'family');
}

export function agreed(forms: Agreeing, gender: Gender, isMany: boolean): string {
  return forms[(gender === 'f' ? 1 : 0) + (isMany ? 2 : 0)] ?? '';
}

const FRENCH_BEFORE = ['big', 'small', 'old', 'new', 'beautiful'];
const isBefore = (adjective: Adjective | undefined) =>
  adjective !== undefined && FRENCH_BEFORE.includes(adjective.id);
export const startsWithVowel = (text: string) => /^[aeiouhéèêàâœ]/i.test(text);

/** "un vieil homme", "un nouvel hôtel": before a vowel. */
function withBelle(text: string, gender: Gender): string {
  if (gender === 'f') return text;
  return text
    .replace(/^vieux (?=.*[^sx]$)/, 'vieil ')
    .replace(/^nouveau /, 'nouvel ')
    .replace(/^beau /, 'bel ');
}

type Make = (rest: string, noun: Inflected, wanted: Wanted, isFamily: boolean) => string;
const DETERMINERS: Record<Exclude<Code, 'de'>, Make> = {
  en: (rest, _, { determiner, isMany }) => {
    if (determiner === 'a') return `${/^[aeiou]/.test(rest) ? 'an' : 'a'} ${rest}`;
    if (determiner === 'this') return `${isMany ? 'these' : 'this'} ${rest}`;
    return `${determiner} ${rest}`;
  },
  fr: (rest, { gender }, { determiner, isMany }) => {
    const opens = startsWithVowel(rest);
    if (determiner === 'no') return opens ? `d'${rest}` : `de ${rest}`;
    if (isMany)
      return `${{ the: 'les', my: 'mes', our: 'nos', this: 'ces' }[determiner as string] ?? 'des'} ${rest}`;
    if (determiner === 'the' && opens) return `l'${rest}`;
    const feminine = { the: 'la', a: 'une', my: opens ? 'mon' : 'ma', our: 'notre', this: 'cette' };
    const masculine = { the: 'le', a: 'un', my: 'mon', our: 'notre', this: opens ? 'cet' : 'ce' };
    return `${(gender === 'f' ? feminine : masculine)[determiner as 'the']} ${rest}`;
  },
  es: (rest, { gender, hasElFeminine }, { determiner, isMany }) => {
    if (determiner === 'no') return rest;
    if (determiner === 'my') return `${isMany ? 'mis' : 'mi'} ${rest}`;
    const feminine = isMany
      ? { the: 'las', a: 'unas', our: 'nuestras', this: 'estas' }
      : { the: hasElFeminine ? 'el' : 'la', a: 'una', our: 'nuestra', this: 'esta' };
    const masculine = isMany
      ? { the: 'los', a: 'unos', our: 'nuestros', this: 'estos' }
      : { the: 'el', a: 'un', our: 'nuestro', this: 'este' };
    return `${(gender === 'f' ? feminine : masculine)[determiner as 'the']} ${rest}`;
  },
  it: (rest, { gender }, { determiner, isMany }, isFamily) => {
    const possessive = { my: ['mio', 'mia', 'miei', 'mie'], our: ['nostro', 'nostra', 'nostri', 'nostre'] };
    if (determiner === 'my' || determiner === 'our') {
      const own = `${agreed(possessive[determiner] as unknown as Agreeing, gender, isMany)} ${rest}`;
      return isFamily && !isMany ? own : italianArticle('the', own, gender, isMany);
    }
    if (determiner === 'this') {
      if (!isMany && /^[aeiou]/.test(rest)) return `quest'${rest}`;
      return `${agreed(['questo', 'questa', 'questi', 'queste'], gender, isMany)} ${rest}`;
    }
    return italianArticle(determiner === 'no' ? 'a' : (determiner as 'the' | 'a'), rest, gender, isMany);
  },
  pt: (rest, { gender }, { determiner, isMany }) => {
    const isFeminine = gender === 'f';
    const article = `${isFeminine ? 'a' : 'o'}${isMany ? 's' : ''}`;
    if (determiner === 'no') return rest;
    if (determiner === 'the') return `${article} ${rest}`;
    if (determiner === 'a') return `${isFeminine ? 'uma' : 'um'} ${rest}`;
    const s = isMany ? 's' : '';
    if (determiner === 'this') return `${isFeminine ? 'esta' : 'este'}${s} ${rest}`;
    const own = determiner === 'my' ? (isFeminine ? 'minha' : 'meu') : isFeminine ? 'nossa' : 'nosso';
    return `${article} ${own}${s} ${rest}`;
  },
};

const HARD = /^(?:z|s[^aeiouèé]|gn|ps|x|y)/;
function italianArticle(article: 'the' | 'a', rest: string, gender: Gender, isMany: boolean): string {
  const opens = /^[aeiouh]/.test(rest);
  if (gender === 'f') {
    if (article === 'a') return opens ? `un'${rest}` : `una ${rest}`;
    if (isMany) return `le ${rest}`;
    return opens ? `l'${rest}` : `la ${rest}`;
  }
  const isHard = HARD.test(rest);
  if (article === 'a') return `${isHard ? 'uno' : 'un'} ${rest}`;
  if (isMany) return `${isHard || opens ? 'gli' : 'i'} ${rest}`;
  if (opens) return `l'${rest}`;
  return `${isHard ? 'lo' : 'il'} ${rest}`;
}

const GERMAN_THE: Record<Case, Record<Gender | 'many', string>> = {
  nom: { m: 'der', f: 'die', n: 'das', many: 'die' },
  acc: { m: 'den', f: 'die', n: 'das', many: 'die' },
  dat: { m: 'dem', f: 'der', n: 'dem', many: 'den' },
};
/** Of ein, kein, mein, unser; and of dieser. */
const GERMAN_ENDINGS: Record<Case, Record<Gender | 'many', readonly [own: string, pointing: string]>> = {
  nom: { m: ['', 'er'], f: ['e', 'e'], n: ['', 'es'], many: ['e', 'e'] },
  acc: { m: ['en', 'en'], f: ['e', 'e'], n: ['', 'es'], many: ['e', 'e'] },
  dat: { m: ['em', 'em'], f: ['er', 'er'], n: ['em', 'em'], many: ['en', 'en'] },
};
const GERMAN_OWN: Partial<Record<Determiner, string>> = { a: 'ein', no: 'kein', my: 'mein', our: 'unser' };

function german(word: string, gender: Gender, { determiner, isMany, case: kase, adjective }: Wanted): string {
  const column = isMany ? 'many' : gender;
  const [own, pointing] = GERMAN_ENDINGS[kase][column];
  const described = adjective ? `${adjective.stem}${germanEnding(determiner, kase, column)} ${word}` : word;
  if (determiner === 'none') return described;
  if (determiner === 'the') return `${GERMAN_THE[kase][column]} ${described}`;
  if (determiner === 'this') return `dies${pointing} ${described}`;
  // "unser" before "e" keeps all its letters.
  return `${GERMAN_OWN[determiner] ?? ''}${own} ${described}`;
}

function germanEnding(determiner: Determiner, kase: Case, column: Gender | 'many'): string {
  const isBare = determiner === 'none';
  if (kase === 'dat') return 'en';
  if (column === 'many') return isBare ? 'e' : 'en';
  if (column === 'f') return 'e';
  const isPointing = determiner === 'the' || determiner === 'this';
  if (column === 'n') return isPointing ? 'e' : 'es';
  if (kase === 'acc') return 'en';
  return isPointing ? 'e' : 'er';
}

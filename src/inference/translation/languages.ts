import { Failure } from '../../base/errors.ts';
import { editDistance } from '../../base/did-you-mean.ts';

/** A language as models name it: the code without region, and the English name, with region or script if given. */
export type Language = { code: string; name: string };

/** Regional names, besides the languages themselves. */
const REGIONAL = [
  ...[
    'pt-BR',
    'pt-PT',
    'en-US',
    'en-GB',
    'en-AU',
    'en-CA',
    'es-ES',
    'es-MX',
    'es-419',
    'fr-CA',
    'fr-CH',
    'fr-FR',
  ],
  ...[
    'de-AT',
    'de-CH',
    'zh-Hans',
    'zh-Hant',
    'zh-TW',
    'zh-HK',
    'zh-CN',
    'sr-Latn',
    'sr-Cyrl',
    'ar-EG',
    'nl-BE',
  ],
];
/** Common names that are missing from the tables. */
const ALSO: Readonly<Record<string, string>> = {
  mandarin: 'zh',
  farsi: 'fa',
  flemish: 'nl-BE',
  tagalog: 'tl',
  castilian: 'es',
  burmese: 'my',
};
const SUGGESTIONS = 3;

/** Understands `fr`, `fra`, `fr-CA`, `fr_CA`, `French`, `français`, `Canadian French` and `French (Canada)`. */
export function readLanguage(text: string, param: string): Language {
  const wanted = text.trim();
  const found = fromCode(wanted) ?? fromName(wanted);
  if (found) return found;
  const near = nearest(fold(wanted));
  throw new Failure(
    'invalid_value',
    `"${text}" is not a known language. Did you mean ${near.join(', ')}? Use a name or a code: French, fr, fr-CA.`,
    { param, details: { suggestions: near.join(', ') } },
  );
}

const inEnglish = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
const inEnglishByRegion = new Intl.DisplayNames('en', {
  type: 'language',
  fallback: 'none',
  languageDisplay: 'standard',
});

function fromCode(text: string): Language | undefined {
  const tag = canonical(text.replaceAll('_', '-'));
  if (tag === undefined) return undefined;
  const { language } = new Intl.Locale(tag);
  // The tables have no name for it, so it was not a code: `english` is a well-formed one.
  if (inEnglish.of(language) === undefined) return undefined;
  return { code: language, name: inEnglish.of(tag) ?? inEnglish.of(language) ?? tag };
}

function canonical(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}

function fromName(text: string): Language | undefined {
  const tag = names().get(fold(text));
  return tag === undefined ? undefined : fromCode(tag);
}

let table: Map<string, string> | undefined;

/** Every name of a language: in English, in the language itself, and with its region in either order. */
function names(): Map<string, string> {
  if (table) return table;
  table = new Map(Object.entries(ALSO));
  for (const tag of [...REGIONAL, ...codesOfThree(), ...codesOfTwo()]) {
    for (const name of [inEnglish.of(tag), inEnglishByRegion.of(tag)]) if (name) table.set(fold(name), tag);
  }
  for (const tag of codesOfTwo()) {
    const own = new Intl.DisplayNames(tag, { type: 'language', fallback: 'none' }).of(tag);
    if (own && !table.has(fold(own))) table.set(fold(own), tag);
  }
  return table;
}

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

function codesOfTwo(): string[] {
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  return codes.filter((code) => inEnglish.of(code) !== undefined && canonical(code) === code);
}

function codesOfThree(): string[] {
  const codes = LETTERS.flatMap((first) =>
    LETTERS.flatMap((second) => LETTERS.map((third) => first + second + third)),
  );
  return codes.filter((code) => inEnglish.of(code) !== undefined && canonical(code) === code);
}

/** Without accents, case and punctuation around words. */
function fold(text: string): string {
  const letters = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return letters.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
}

function nearest(wanted: string): string[] {
  const english = codesOfTwo().map((code) => inEnglish.of(code) ?? code);
  const byDistance = english.map((name) => ({ name, distance: editDistance(wanted, fold(name)) }));
  return byDistance
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, SUGGESTIONS)
    .map(({ name }) => name);
}

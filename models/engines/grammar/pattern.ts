import { automatonOf } from './automaton.ts';
import {
  ANY_CHARACTER,
  hasCharacter,
  charSet,
  complement,
  intersection,
  union,
  type CharSet,
} from './char-set.ts';
import { createLanguages, type Language } from './language.ts';
import { patternLanguage } from './pattern-language.ts';
import { parsePattern, PatternRefusal } from './pattern-syntax.ts';
import { characterIn, literal, oneOf, type Rules } from './rules.ts';

export { PatternRefusal };

export type Texts = {
  /** Regular expressions that must all be found. */
  patterns: readonly string[];
  minLength?: number | undefined;
  maxLength?: number | undefined;
};

const LANGUAGES_MAX = 50_000;
const STATES_MAX = 4000;
const DIRECT_MAX = 10_000;

/** The inside of a JSON string for exactly these texts, but for control characters that JSON spells by number. */
export function patternRule({ patterns, minLength = 0, maxLength = Infinity }: Texts, rules: Rules): string {
  const onSpent = (): never => {
    throw new PatternRefusal('what it asks together has more states than can be kept');
  };
  const languages = createLanguages(LANGUAGES_MAX, onSpent);
  const length = languages.repeat(languages.character(ANY_CHARACTER), minLength, maxLength);
  const parsed = patterns.map((pattern) => patternLanguage(parsePattern(pattern), languages));
  const language = languages.both(length, ...parsed);
  if (isDirect(language)) {
    if (language === languages.nothing) throw new PatternRefusal('no text fits');
    return rules.define('pattern', expressionOf(language, rules));
  }
  const states = automatonOf(language, languages, { alphabet: WRITABLE, statesMax: STATES_MAX, onSpent });
  if (states.length === 0) throw new PatternRefusal('no text fits');
  const names = states.map(() => rules.reserve('state'));
  for (const [place, { isEnd, next }] of states.entries()) {
    const steps = next.flatMap(({ set, to }) => inJson(set).map((text) => `${text} ${names[to]}`));
    rules.fill(names[place] ?? '', [...(isEnd ? ['""'] : []), ...steps].join(' | '));
  }
  return names[0] ?? '""';
}

/**
 * Whether it can be said as it is built, which keeps counts short: a grammar knows no "and" and no "not", and what
 * follows several anchors would be written once for each.
 */
function isDirect(language: Language): boolean {
  const open = [language];
  for (let visited = 0; visited < DIRECT_MAX; visited++) {
    const next = open.pop();
    if (!next) return true;
    if (next.kind === 'both' || next.kind === 'not') return false;
    if (next.kind === 'sequence') open.push(next.first, next.rest);
    else if (next.kind === 'repeat') open.push(next.part);
    else if (next.kind === 'either') open.push(...next.parts);
  }
  return false;
}

function expressionOf(language: Language, rules: Rules): string {
  switch (language.kind) {
    case 'character': {
      const alternatives = inJson(language.set);
      if (alternatives.length === 0) throw new PatternRefusal('it has a control character');
      return oneOf(alternatives);
    }
    case 'sequence':
      return `${expressionOf(language.first, rules)} ${expressionOf(language.rest, rules)}`;
    case 'repeat':
      return rules.repeat(
        rules.define('part', expressionOf(language.part, rules)),
        language.min,
        language.max,
      );
    case 'either':
      return `(${language.parts.map((part) => expressionOf(part, rules)).join(' | ')})`;
    default:
      return '""';
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** What stands in a string as it is. */
const UNESCAPED = complement(
  union([
    [0, 0x1f],
    [QUOTE, QUOTE],
    [BACKSLASH, BACKSLASH],
    [0x7f, 0x7f],
  ]),
);
const ESCAPED = ['"', '\\', '\n', '\r', '\t'];
const WRITABLE = union([...UNESCAPED, ...charSet(...ESCAPED)]);

/** The alternatives for one character of the set as a JSON string holds it. */
function inJson(set: CharSet): string[] {
  const plain = intersection(set, UNESCAPED);
  const escaped = ESCAPED.filter((character) => hasCharacter(set, character.charCodeAt(0)));
  return [
    ...(plain.length > 0 ? [bracketed(plain)] : []),
    ...escaped.map((character) => literal(JSON.stringify(character).slice(1, -1))),
  ];
}

function bracketed(set: CharSet): string {
  const others = complement(set);
  return others.length < set.length ? `[^${rangesOf(others)}]` : `[${rangesOf(set)}]`;
}

function rangesOf(set: CharSet): string {
  return set.map(([low, high]) => (low === high ? end(low) : `${end(low)}-${end(high)}`)).join('');
}

/** Halves of surrogate pairs are no characters, so they are named by number, as all that can't be seen. */
function end(code: number): string {
  if (code > 0x7f && /[^\p{L}\p{N}\p{P}\p{S}]/u.test(String.fromCodePoint(code))) {
    return code > 0xffff
      ? `\\U${code.toString(16).toUpperCase().padStart(8, '0')}`
      : `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`;
  }
  return characterIn(String.fromCodePoint(code));
}

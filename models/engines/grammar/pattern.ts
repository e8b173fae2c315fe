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
import { createLanguages, type Language, type Languages } from './language.ts';
import { patternLanguage } from './pattern-language.ts';
import { parsePattern, PatternRefusal } from './pattern-syntax.ts';
import { characterIn, literal, oneOf, type Rules } from './rules.ts';

export { PatternRefusal };

export type Texts = {
  /** Regular expressions that must all match. */
  patterns: readonly string[];
  minLength?: number | undefined;
  maxLength?: number | undefined;
  /** A substring that must not occur. */
  without?: string;
};

/** How characters are encoded in the answer. */
export type Writing = { alphabet: CharSet; alternatives: (set: CharSet) => string[] };

const STEPS_MAX = 200_000;
/** A step here takes this many times as long as one on the rules. */
const WEIGHT = 4;
const STATES_MAX = 4000;
const DIRECT_MAX = 10_000;

/** Exactly these strings, of the characters that can be encoded. */
export function patternRule(
  { patterns, minLength = 0, maxLength = Infinity, without }: Texts,
  rules: Rules,
  writing: Writing,
): string {
  const onSpent = (): never => {
    throw new PatternRefusal('it needs too many states');
  };
  let steps = 0;
  const languages = createLanguages((more) => {
    steps += more;
    rules.spend(more * WEIGHT);
    if (steps > STEPS_MAX) onSpent();
  });
  const { both, repeat, character, nothing } = languages;
  const length = repeat(character(ANY_CHARACTER), minLength, maxLength);
  const parsed = patterns.map((pattern) => patternLanguage(parsePattern(pattern), languages));
  const others = without === undefined ? [] : [textsWithout(without, languages)];
  const language = both(length, ...parsed, ...others);
  if (isDirect(language)) {
    if (language === nothing) throw new PatternRefusal('no string matches');
    return rules.define('pattern', expressionOf(language, rules, writing));
  }
  const { alphabet } = writing;
  const states = automatonOf(language, languages, { alphabet, statesMax: STATES_MAX, onSpent });
  if (states.length === 0) throw new PatternRefusal('no string matches');
  const names = states.map(() => rules.reserve('state'));
  for (const [place, { isEnd, next }] of states.entries()) {
    const steps = next.flatMap(({ set, to }) =>
      writing.alternatives(set).map((text) => `${text} ${names[to]}`),
    );
    rules.fill(names[place] ?? '', [...(isEnd ? ['""'] : []), ...steps].join(' | '));
  }
  return names[0] ?? '""';
}

function textsWithout(text: string, { anything, character, empty, not, sequence }: Languages): Language {
  const spelled = [...text].reduceRight(
    (rest, one) => sequence(character(charSet([codeOf(one), codeOf(one)])), rest),
    empty,
  );
  return not(sequence(anything, sequence(spelled, anything)));
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}

/**
 * Whether it can be written as it is built, which keeps counts short. A grammar has no "and" and no "not", and what
 * follows several anchors would be repeated for each.
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

function expressionOf(language: Language, rules: Rules, writing: Writing): string {
  const inside = (part: Language) => expressionOf(part, rules, writing);
  switch (language.kind) {
    case 'character': {
      const alternatives = writing.alternatives(language.set);
      if (alternatives.length === 0) throw new PatternRefusal('it contains a control character');
      return oneOf(alternatives);
    }
    case 'sequence':
      return `${inside(language.first)} ${inside(language.rest)}`;
    case 'repeat':
      return rules.repeat(rules.define('part', inside(language.part)), language.min, language.max);
    case 'either':
      return `(${language.parts.map(inside).join(' | ')})`;
    default:
      return '""';
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Characters that need no escape in a string. */
const UNESCAPED = complement(
  union([
    [0, 0x1f],
    [QUOTE, QUOTE],
    [BACKSLASH, BACKSLASH],
    [0x7f, 0x7f],
  ]),
);
const ESCAPED = ['"', '\\', '\n', '\r', '\t'];

/** Inside JSON's quotation marks, without control characters that are escaped by number. */
export const IN_JSON: Writing = {
  alphabet: union([...UNESCAPED, ...charSet(...ESCAPED)]),
  alternatives(set) {
    const plain = intersection(set, UNESCAPED);
    const escaped = ESCAPED.filter((character) => hasCharacter(set, codeOf(character)));
    return [
      ...(plain.length > 0 ? [bracketed(plain)] : []),
      ...escaped.map((character) => literal(JSON.stringify(character).slice(1, -1))),
    ];
  },
};

const WRITTEN = complement([[0, 0]]);

/** Verbatim. */
export const AS_TEXT: Writing = {
  alphabet: WRITTEN,
  alternatives: (set) => [intersection(set, WRITTEN)].filter((some) => some.length > 0).map(bracketed),
};

function bracketed(set: CharSet): string {
  const others = complement(set);
  return others.length < set.length ? `[^${rangesOf(others)}]` : `[${rangesOf(set)}]`;
}

function rangesOf(set: CharSet): string {
  return set.map(([low, high]) => (low === high ? end(low) : `${end(low)}-${end(high)}`)).join('');
}

/** Surrogate halves are not characters, so they are escaped by number, like everything invisible. */
function end(code: number): string {
  if (code > 0x7f && /[^\p{L}\p{N}\p{P}\p{S}]/u.test(String.fromCodePoint(code))) {
    return code > 0xffff
      ? `\\U${code.toString(16).toUpperCase().padStart(8, '0')}`
      : `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`;
  }
  return characterIn(String.fromCodePoint(code));
}

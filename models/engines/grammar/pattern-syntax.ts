import { ANY_CHARACTER, charSet, complement, union, type CharSet } from './char-set.ts';

/** A regular expression that cannot be converted to a grammar; the message says why. */
export class PatternRefusal extends Error {}

export type Pattern =
  | { kind: 'character'; set: CharSet }
  | { kind: 'sequence' | 'either'; parts: readonly Pattern[] }
  | { kind: 'repeat'; part: Pattern; min: number; max: number }
  | { kind: 'start' | 'end' }
  | { kind: 'ahead'; part: Pattern; isNegated: boolean };

const REPEATS_MAX = 1000;
const LENGTH_MAX = 4000;
const DEPTH_MAX = 100;

/** ECMAScript's regular expressions with the flag "u", the dialect of JSON Schema. */
export function parsePattern(source: string): Pattern {
  if (source.length > LENGTH_MAX) throw new PatternRefusal(`it is longer than ${LENGTH_MAX} characters`);
  const reader = createReader(source);
  const pattern = readAlternatives(reader, 0);
  if (reader.peek() !== undefined) throw new PatternRefusal('it has an unmatched ")"');
  return pattern;
}

type Reader = ReturnType<typeof createReader>;

function createReader(source: string) {
  const characters = [...source];
  let place = 0;
  return {
    peek: () => characters[place],
    take: () => characters[place++],
    /** Consumes this text if it comes next. */
    has(text: string): boolean {
      if (characters.slice(place, place + text.length).join('') !== text) return false;
      place += text.length;
      return true;
    },
    /** Consumes a match at this position. */
    match(expression: RegExp): RegExpExecArray | undefined {
      const found = expression.exec(characters.slice(place, place + 80).join(''));
      if (found?.index !== 0) return undefined;
      place += [...found[0]].length;
      return found;
    },
  };
}

function readAlternatives(reader: Reader, depth: number): Pattern {
  if (depth > DEPTH_MAX) throw new PatternRefusal(`its groups are nested deeper than ${DEPTH_MAX} levels`);
  const parts = [readSequence(reader, depth)];
  while (reader.has('|')) parts.push(readSequence(reader, depth));
  const [only] = parts;
  return parts.length === 1 && only ? only : { kind: 'either', parts };
}

function readSequence(reader: Reader, depth: number): Pattern {
  const parts: Pattern[] = [];
  for (let next = reader.peek(); next !== undefined && next !== '|' && next !== ')'; next = reader.peek()) {
    parts.push(readRepeated(reader, depth));
  }
  return { kind: 'sequence', parts };
}

function readRepeated(reader: Reader, depth: number): Pattern {
  const part = readItem(reader, depth);
  const [min, max] = readCounts(reader) ?? [1, 1];
  if (min === 1 && max === 1) return part;
  if (max < min || (max === Infinity ? min : max) > REPEATS_MAX) {
    throw new PatternRefusal('a repetition is too large or reversed');
  }
  // Lazy or greedy does not change what matches.
  reader.has('?');
  return { kind: 'repeat', part, min, max };
}

function readCounts(reader: Reader): [number, number] | undefined {
  if (reader.has('*')) return [0, Infinity];
  if (reader.has('+')) return [1, Infinity];
  if (reader.has('?')) return [0, 1];
  if (reader.peek() !== '{') return undefined;
  const counts = reader.match(/^\{(\d+)(,?)(\d*)\}/);
  if (!counts) throw new PatternRefusal('"{" does not start a quantifier');
  const [, min, comma, max] = counts;
  return [Number(min), comma === '' ? Number(min) : max ? Number(max) : Infinity];
}

function readItem(reader: Reader, depth: number): Pattern {
  const character = reader.take() ?? '';
  if (character === '(') return readGroup(reader, depth);
  if (character === '[') return { kind: 'character', set: readClass(reader) };
  if (character === '^') return { kind: 'start' };
  if (character === '$') return { kind: 'end' };
  if (character === '.') return { kind: 'character', set: complement(LINE_ENDS) };
  if (character === '\\') return { kind: 'character', set: readEscape(reader) };
  if ('*+?{'.includes(character)) throw new PatternRefusal(`"${character}" has nothing to repeat`);
  return { kind: 'character', set: charSet(character) };
}

function readGroup(reader: Reader, depth: number): Pattern {
  const mark = reader.match(/^\?(?:[:=!]|<[=!]|<[\p{L}\p{Nl}$_][\p{L}\p{N}$_]*>)/u)?.[0];
  if (mark === undefined && reader.peek() === '?') throw new PatternRefusal('a group has an unknown prefix');
  if (mark === '?<=' || mark === '?<!') throw new PatternRefusal('look-behind is not supported');
  const part = readAlternatives(reader, depth + 1);
  if (!reader.has(')')) throw new PatternRefusal('a group is not closed');
  return mark === '?=' || mark === '?!' ? { kind: 'ahead', part, isNegated: mark === '?!' } : part;
}

const LINE_ENDS = charSet('\n', '\r', '\u2028', '\u2029');
const SETS: Record<string, CharSet> = {
  d: charSet('0-9'),
  w: charSet('a-z', 'A-Z', '0-9', '_'),
  s: charSet(
    '\t',
    '\n',
    '\v',
    '\f',
    '\r',
    ' ',
    '\u00a0',
    '\u1680',
    '\u2000-\u200a',
    '\u2028',
    '\u2029',
    '\u202f',
    '\u205f',
    '\u3000',
    '\ufeff',
  ),
};
const CONTROLS: Record<string, string> = { t: '\t', n: '\n', v: '\v', f: '\f', r: '\r', 0: '\0' };
const PUNCTUATION = /^[\\^$.*+?()[\]{}|/\-"'!#%&,:;<=>@_`~ ]$/;

/** One character, or a set of them. */
function readEscape(reader: Reader): CharSet {
  const letter = reader.take() ?? '';
  const set = SETS[letter];
  if (set) return set;
  const opposite = SETS[letter.toLowerCase()];
  if (opposite) return complement(opposite);
  const control = CONTROLS[letter];
  if (control !== undefined) return charSet(control);
  if (PUNCTUATION.test(letter)) return charSet(letter);
  if (letter === 'p' || letter === 'P') return readProperty(reader, letter === 'P');
  const code = readCode(reader, letter);
  if (code === undefined) throw new PatternRefusal(`"\\${letter}" is not supported`);
  return charSet([code, code]);
}

function readCode(reader: Reader, letter: string): number | undefined {
  const forms: Record<string, RegExp> = {
    x: /^([0-9a-f]{2})/i,
    u: /^(?:([0-9a-f]{4})|\{([0-9a-f]{1,6})\})/i,
  };
  const form = forms[letter];
  const found = form && reader.match(form);
  const code = found && parseInt(found[1] ?? found[2] ?? '', 16);
  if (code === undefined || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return undefined;
  return code;
}

function readProperty(reader: Reader, isNegated: boolean): CharSet {
  const name = reader.match(/^\{(\w+(?:=\w+)?)\}/)?.[1] ?? '';
  const set = PROPERTIES.get(name) ?? propertySet(name);
  PROPERTIES.set(name, set);
  return isNegated ? complement(set) : set;
}

const PROPERTIES = new Map<string, CharSet>();

/** Evaluated by JavaScript's own regular expressions, which know Unicode. */
function propertySet(name: string): CharSet {
  let property: RegExp;
  try {
    property = new RegExp(`^\\p{${name}}$`, 'u');
  } catch {
    throw new PatternRefusal(`"\\p{${name}}" is not a Unicode property`);
  }
  const ranges: [number, number][] = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    if (!property.test(String.fromCodePoint(code))) continue;
    const last = ranges.at(-1);
    if (last?.[1] === code - 1) last[1] = code;
    else ranges.push([code, code]);
  }
  return ranges;
}

function readClass(reader: Reader): CharSet {
  const isNegated = reader.has('^');
  const members: CharSet[] = [];
  while (!reader.has(']')) {
    const low = readMember(reader);
    if (reader.peek() !== '-') members.push(low);
    else {
      reader.take();
      if (reader.peek() === ']') members.push(low, charSet('-'));
      else members.push(rangeOf(low, readMember(reader)));
    }
  }
  const set = union(members.flat());
  if (set.length === 0 && !isNegated) throw new PatternRefusal('a character class is empty');
  return isNegated ? (set.length === 0 ? ANY_CHARACTER : complement(set)) : set;
}

function readMember(reader: Reader): CharSet {
  const next = reader.take();
  if (next === undefined) throw new PatternRefusal('a character class is not closed');
  if (next !== '\\') return charSet(next);
  return reader.has('b') ? charSet('\b') : readEscape(reader);
}

function rangeOf(low: CharSet, high: CharSet): CharSet {
  const [[first, last] = [0, -1]] = low;
  const [[begin, end] = [0, -1]] = high;
  if (low.length !== 1 || high.length !== 1 || first !== last || begin !== end || first > begin) {
    throw new PatternRefusal('a range in a character class is reversed or incomplete');
  }
  return [[first, begin]];
}

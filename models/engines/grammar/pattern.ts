import { PLAIN } from './json-values.ts';
import { characterIn, literal, oneOf, type Rules } from './rules.ts';

/** A regular expression that can't be told as a grammar; the message says why. */
export class PatternRefusal extends Error {}

const REPEATS_MAX = 1000;

/**
 * The inside of a JSON string that matches the pattern. Only what is the same in every dialect is taken: characters,
 * classes, groups, alternatives, repetitions, and anchors at both ends of the whole.
 */
export function patternRule(pattern: string, rules: Rules): string {
  const { source, open, close } = anchors(pattern);
  const reader = createReader(source);
  const body = readAlternatives(reader, rules);
  if (reader.peek() !== undefined) throw new PatternRefusal(`it has a ")" too much`);
  const anything = `${rules.define('plain', PLAIN)}*`;
  return rules.define(
    'pattern',
    [open ? '' : anything, body, close ? '' : anything].filter(Boolean).join(' '),
  );
}

/** An anchor binds one alternative only, so beside alternatives it must be around all of them. */
function anchors(pattern: string) {
  const open = pattern.startsWith('^');
  const close = /(^|[^\\])(\\\\)*\$$/.test(pattern);
  const source = pattern.slice(open ? 1 : 0, close ? -1 : undefined);
  if ((open || close || /[$^]/.test(source)) && hasTopAlternatives(source) && (open || close)) {
    throw new PatternRefusal('its anchors stand beside alternatives; put these into a group');
  }
  return { source, open, close };
}

function hasTopAlternatives(source: string): boolean {
  let depth = 0;
  let inClass = false;
  for (let place = 0; place < source.length; place++) {
    const character = source[place];
    if (character === '\\') place++;
    else if (inClass) inClass = character !== ']';
    else if (character === '[') inClass = true;
    else if (character === '(') depth++;
    else if (character === ')') depth--;
    else if (character === '|' && depth === 0) return true;
  }
  return false;
}

type Reader = ReturnType<typeof createReader>;

function createReader(source: string) {
  const characters = [...source];
  let place = 0;
  return {
    peek: () => characters[place],
    take: () => characters[place++],
    /** Takes this text if it comes next. */
    has(text: string): boolean {
      if (characters.slice(place, place + text.length).join('') !== text) return false;
      place += text.length;
      return true;
    },
  };
}

function readAlternatives(reader: Reader, rules: Rules): string {
  const alternatives = [readSequence(reader, rules)];
  while (reader.has('|')) alternatives.push(readSequence(reader, rules));
  return alternatives.length === 1 ? (alternatives[0] ?? '""') : `(${alternatives.join(' | ')})`;
}

function readSequence(reader: Reader, rules: Rules): string {
  const items: string[] = [];
  for (let next = reader.peek(); next !== undefined && next !== '|' && next !== ')'; next = reader.peek()) {
    items.push(readRepeated(reader, rules));
  }
  return items.join(' ') || '""';
}

function readRepeated(reader: Reader, rules: Rules): string {
  const item = readItem(reader, rules);
  const [min, max] = readCounts(reader) ?? [1, 1];
  if (min === 1 && max === 1) return item;
  if (max !== Infinity && (max > REPEATS_MAX || max < min)) {
    throw new PatternRefusal('it repeats something too often or in no order');
  }
  // Whether as much or as little as possible is taken does not change what matches.
  reader.has('?');
  return rules.repeat(rules.define('part', item), min, max);
}

function readCounts(reader: Reader): [number, number] | undefined {
  if (reader.has('*')) return [0, Infinity];
  if (reader.has('+')) return [1, Infinity];
  if (reader.has('?')) return [0, 1];
  if (!reader.has('{')) return undefined;
  let text = '';
  while (reader.peek() !== undefined && !reader.has('}')) text += reader.take();
  const [, min, comma, max] = /^(\d+)(,?)(\d*)$/.exec(text) ?? [];
  if (min === undefined) throw new PatternRefusal(`"{${text}" is no count`);
  return [Number(min), comma === '' ? Number(min) : max ? Number(max) : Infinity];
}

function readItem(reader: Reader, rules: Rules): string {
  const character = reader.take() ?? '';
  if (character === '(') return readGroup(reader, rules);
  if (character === '[') return readClass(reader);
  if (character === '.') return PLAIN;
  if (character === '\\') return readEscape(reader);
  if ('^$*+?{'.includes(character))
    throw new PatternRefusal(`"${character}" stands where it means something else`);
  return inString(character);
}

function readGroup(reader: Reader, rules: Rules): string {
  if (reader.has('?') && !reader.has(':')) throw new PatternRefusal('it looks around or names a group');
  const body = readAlternatives(reader, rules);
  if (!reader.has(')')) throw new PatternRefusal('a group has no end');
  return body.startsWith('(') ? body : `(${body})`;
}

/** Sets of characters, as they may stand between brackets. Blanks are the only white space that a string may hold unescaped. */
const SETS: Record<string, string> = { d: '0-9', w: 'a-zA-Z0-9_', s: ' ' };
const PUNCTUATION = /^[\\^$.*+?()[\]{}|/\-"'!#%&,:;<=>@_`~ ]$/;

function readEscape(reader: Reader): string {
  const letter = reader.take() ?? '';
  const set = SETS[letter];
  if (set !== undefined) return `[${set}]`;
  const opposite = SETS[letter.toLowerCase()];
  if (opposite !== undefined) return `[^${opposite}"\\\\\\x7F\\x00-\\x1F]`;
  if (PUNCTUATION.test(letter)) return inString(letter);
  throw new PatternRefusal(`"\\${letter}" is not known here`);
}

function readClass(reader: Reader): string {
  const isNegated = reader.has('^');
  const members: string[] = [];
  const awkward: string[] = [];
  for (;;) {
    const next = reader.take();
    if (next === undefined) throw new PatternRefusal('a class has no end');
    if (next === ']') break;
    const low = next === '\\' ? readClassEscape(reader) : next;
    if (low.length > 1 && low.includes('-')) members.push(low);
    else if (reader.peek() === '-' && reader.has('-')) readRange(reader, low, members);
    else if (low === '"' || low === '\\') awkward.push(low);
    else members.push(characterIn(low));
  }
  if (isNegated) return `[^${members.join('')}"\\\\\\x7F\\x00-\\x1F]`;
  const plain = members.length > 0 ? [`[${members.join('')}]`] : [];
  const alternatives = [...plain, ...awkward.map(inString)];
  if (alternatives.length === 0) throw new PatternRefusal('a class is empty');
  return oneOf(alternatives);
}

function readRange(reader: Reader, low: string, members: string[]): void {
  if (reader.peek() === ']') return void members.push(characterIn(low), characterIn('-'));
  const next = reader.take() ?? '';
  const high = next === '\\' ? readClassEscape(reader) : next;
  const spansAwkward = ['"', '\\', '\x7f'].some((awkward) => low <= awkward && awkward <= high);
  if (low.length !== 1 || high.length !== 1 || low > high || low < ' ' || spansAwkward) {
    throw new PatternRefusal(`"${low}-${high}" is a range that a string can't hold as it is`);
  }
  members.push(`${characterIn(low)}-${characterIn(high)}`);
}

function readClassEscape(reader: Reader): string {
  const letter = reader.take() ?? '';
  const set = SETS[letter];
  if (set !== undefined) return set;
  if (PUNCTUATION.test(letter)) return letter;
  throw new PatternRefusal(`"\\${letter}" in a class is not known here`);
}

/** A character as a JSON string holds it. */
function inString(character: string): string {
  if (character < ' ') throw new PatternRefusal('it has a control character');
  return literal(JSON.stringify(character).slice(1, -1));
}

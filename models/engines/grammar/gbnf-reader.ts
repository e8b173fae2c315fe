import { ANY_CHARACTER, complement, union, type CharSet } from './char-set.ts';

/** A grammar that llama.cpp would reject or crash on; the message says where and why. */
export class GbnfError extends Error {}

/** A part of a rule, from `min` to `max` times. */
export type GbnfItem = { min: number; max: number } & (
  | { kind: 'rule'; name: string; place: number }
  | { kind: 'character'; set: CharSet }
  | { kind: 'group'; alternatives: GbnfAlternatives }
);
export type GbnfAlternatives = readonly (readonly GbnfItem[])[];
/** `place` is where it starts in the text. */
export type GbnfRule = { place: number; alternatives: GbnfAlternatives };

/** llama.cpp's limit. */
const REPEATS_MAX = 2000;
const DEPTH_MAX = 100;

const ESCAPE = String.raw`\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[tnr"\\[\]^-])`;
const LITERAL = new RegExp(String.raw`"((?:${ESCAPE}|[^"\\])*)"`, 'suy');
const CLASS = new RegExp(String.raw`\[((?:${ESCAPE}|[^\]\\])*)\]`, 'suy');
const CHARACTER = new RegExp(String.raw`${ESCAPE}|.`, 'gsu');
const REPEAT = /[*+?]|\{[ \t]*(\d+)[ \t]*(?:(,)[ \t]*(\d*)[ \t]*)?\}/suy;
const NAME = /[a-zA-Z0-9-]+/suy;
const SPACE = /(?:[ \t]|#[^\n]*)*/suy;
const SPACE_AND_LINES = /(?:[ \t\r\n]|#[^\n]*)*/suy;

/** The rules of a GBNF grammar, by name. */
export function readGbnf(text: string): Map<string, GbnfRule> {
  const rules = new Map<string, GbnfRule>();
  const cursor = createCursor(text);
  for (cursor.skip(SPACE_AND_LINES); !cursor.isOver(); cursor.skip(SPACE_AND_LINES)) {
    const place = cursor.place();
    const [name] = cursor.take(NAME) ?? [];
    if (name === undefined) throw cursor.error('a rule must start with its name');
    cursor.skip(SPACE);
    if (!cursor.take(/::=/y)) throw cursor.error(`"::=" is missing after "${name}"`);
    cursor.skip(SPACE_AND_LINES);
    const alternatives = readAlternatives(cursor, 0);
    if (!cursor.isOver() && !cursor.take(/\r?\n/y)) throw cursor.error('this is unexpected');
    rules.set(name, { place, alternatives });
  }
  return rules;
}

export function lineOf(text: string, place: number): number {
  return text.slice(0, place).split('\n').length;
}

type Cursor = ReturnType<typeof createCursor>;

function createCursor(text: string) {
  let place = 0;
  function take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = place;
    const found = pattern.exec(text);
    if (!found) return undefined;
    place += found[0].length;
    return found;
  }
  return {
    take,
    place: () => place,
    skip: (space: RegExp) => void take(space),
    isOver: () => place >= text.length,
    error: (message: string) => {
      const shown = JSON.stringify(text.slice(place, place + 20).split('\n')[0]);
      return new GbnfError(`line ${lineOf(text, place)}, at ${shown}: ${message}`);
    },
  };
}

/** Inside groups a rule may continue on the next line, and after a "|" anywhere. */
function readAlternatives(cursor: Cursor, depth: number): GbnfAlternatives {
  if (depth > DEPTH_MAX) throw cursor.error(`groups are nested more than ${DEPTH_MAX} deep`);
  const alternatives = [readSequence(cursor, depth)];
  while (cursor.take(/\|/y)) {
    cursor.skip(SPACE_AND_LINES);
    alternatives.push(readSequence(cursor, depth));
  }
  return alternatives;
}

function readSequence(cursor: Cursor, depth: number): GbnfItem[] {
  const items: GbnfItem[] = [];
  const space = depth > 0 ? SPACE_AND_LINES : SPACE;
  for (let item = readItem(cursor, depth); item !== undefined; item = readItem(cursor, depth)) {
    cursor.skip(space);
    items.push(readRepeats(cursor, item));
    cursor.skip(space);
  }
  return items;
}

const ONCE = { min: 1, max: 1 };

function readItem(cursor: Cursor, depth: number): GbnfItem | undefined {
  const place = cursor.place();
  const [, literal] = cursor.take(LITERAL) ?? [];
  if (literal !== undefined) return spelled(literal);
  const [, members] = cursor.take(CLASS) ?? [];
  if (members !== undefined) return { kind: 'character', set: classSet(members), ...ONCE };
  if (cursor.take(/\./y)) return { kind: 'character', set: ANY_CHARACTER, ...ONCE };
  if (cursor.take(/(?=["[])/y)) throw cursor.error('it is not terminated, or has an unknown escape');
  if (cursor.take(/\(/y)) {
    cursor.skip(SPACE_AND_LINES);
    const alternatives = readAlternatives(cursor, depth + 1);
    if (!cursor.take(/\)/y)) throw cursor.error('")" is missing');
    return { kind: 'group', alternatives, ...ONCE };
  }
  const [name] = cursor.take(NAME) ?? [];
  return name === undefined ? undefined : { kind: 'rule', name, place, ...ONCE };
}

function spelled(literal: string): GbnfItem {
  const codes = codesOf(literal).map(({ code }) => code);
  const items = codes.map((code): GbnfItem => ({ kind: 'character', set: [[code, code]], ...ONCE }));
  const [only] = items;
  return only && items.length === 1 ? only : { kind: 'group', alternatives: [items], ...ONCE };
}

function classSet(members: string): CharSet {
  const isNegated = members.startsWith('^');
  const codes = codesOf(isNegated ? members.slice(1) : members);
  const ranges: [number, number][] = [];
  for (let index = 0; index < codes.length; index++) {
    const low = codes[index]?.code ?? 0;
    const isRange = codes[index + 1]?.isDash === true && index + 2 < codes.length;
    if (isRange) index += 2;
    ranges.push([low, codes[index]?.code ?? low]);
  }
  const set = union(ranges.filter(([low, high]) => low <= high));
  return isNegated ? complement(set) : set;
}

const CONTROLS: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r' };

function codesOf(text: string): { code: number; isDash: boolean }[] {
  return [...text.matchAll(CHARACTER)].map(([one]) => {
    const isDash = one === '-';
    if (one.length < 2 || !one.startsWith('\\')) return { code: one.codePointAt(0) ?? 0, isDash };
    const letter = one[1] ?? '';
    if ('xuU'.includes(letter)) return { code: Number.parseInt(one.slice(2), 16), isDash };
    return { code: (CONTROLS[letter] ?? letter).codePointAt(0) ?? 0, isDash };
  });
}

/** The item with the repetitions that follow it; a second one repeats the first. */
function readRepeats(cursor: Cursor, item: GbnfItem): GbnfItem {
  let repeated = item;
  for (let found = cursor.take(REPEAT); found; found = cursor.take(REPEAT)) {
    const counts = countsOf(found);
    for (const count of counts) {
      if (count !== Infinity && count > REPEATS_MAX)
        throw cursor.error(`a repetition may have at most ${REPEATS_MAX} items`);
    }
    const [min, max] = counts;
    if (min > max) throw cursor.error(`the range of "${found[0]}" is reversed`);
    const isPlain = repeated.min === 1 && repeated.max === 1;
    repeated = isPlain ? { ...repeated, min, max } : { kind: 'group', alternatives: [[repeated]], min, max };
  }
  return repeated;
}

function countsOf([sign, min, isRange, max]: RegExpExecArray): [number, number] {
  if (sign === '*') return [0, Infinity];
  if (sign === '+') return [1, Infinity];
  if (sign === '?') return [0, 1];
  if (!isRange) return [Number(min), Number(min)];
  return [Number(min), max ? Number(max) : Infinity];
}

/** A grammar that llama.cpp would reject or crash on; the message says where and why. */
export class GbnfError extends Error {}

/** A part of a rule. `isOptional` where it may be left out. */
export type GbnfItem = { isOptional: boolean } & (
  | { kind: 'rule'; name: string; line: number }
  | { kind: 'text'; isEmpty: boolean }
  | { kind: 'group'; alternatives: GbnfAlternatives }
);
export type GbnfAlternatives = readonly (readonly GbnfItem[])[];
export type GbnfRule = { line: number; alternatives: GbnfAlternatives };

/** llama.cpp's limit. */
const REPEATS_MAX = 2000;
const DEPTH_MAX = 100;

const ESCAPE = String.raw`\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[tnr"\\[\]^-])`;
const LITERAL = new RegExp(String.raw`"(?:${ESCAPE}|[^"\\])*"`, 'suy');
const CLASS = new RegExp(String.raw`\[(?:${ESCAPE}|[^\]\\])*\]`, 'suy');
const REPEAT = /[*+?]|\{[ \t]*(\d+)[ \t]*(?:(,)[ \t]*(\d*)[ \t]*)?\}/suy;
const NAME = /[a-zA-Z0-9-]+/suy;
const SPACE = /(?:[ \t]|#[^\n]*)*/suy;
const SPACE_AND_LINES = /(?:[ \t\r\n]|#[^\n]*)*/suy;

/** The rules of a GBNF grammar, by name. */
export function readGbnf(text: string): Map<string, GbnfRule> {
  const rules = new Map<string, GbnfRule>();
  const cursor = createCursor(text);
  for (cursor.skip(SPACE_AND_LINES); !cursor.isOver(); cursor.skip(SPACE_AND_LINES)) {
    const line = cursor.line();
    const [name] = cursor.take(NAME) ?? [];
    if (name === undefined) throw cursor.error('a rule must start with its name');
    cursor.skip(SPACE);
    if (!cursor.take(/::=/y)) throw cursor.error(`"::=" is missing after "${name}"`);
    cursor.skip(SPACE_AND_LINES);
    const alternatives = readAlternatives(cursor, 0);
    if (!cursor.isOver() && !cursor.take(/\r?\n/y)) throw cursor.error('this is unexpected');
    rules.set(name, { line, alternatives });
  }
  return rules;
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
  const line = () => text.slice(0, place).split('\n').length;
  return {
    take,
    line,
    skip: (space: RegExp) => void take(space),
    isOver: () => place >= text.length,
    error: (message: string) => {
      const shown = JSON.stringify(text.slice(place, place + 20).split('\n')[0]);
      return new GbnfError(`line ${line()}, at ${shown}: ${message}`);
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
    items.push({ ...item, isOptional: readRepeats(cursor) });
    cursor.skip(space);
  }
  return items;
}

function readItem(cursor: Cursor, depth: number): GbnfItem | undefined {
  const isOptional = false;
  const line = cursor.line();
  const [literal] = cursor.take(LITERAL) ?? [];
  if (literal !== undefined) return { kind: 'text', isEmpty: literal === '""', isOptional };
  if (cursor.take(CLASS) ?? cursor.take(/\./y)) return { kind: 'text', isEmpty: false, isOptional };
  if (cursor.take(/(?=["[])/y)) throw cursor.error('it is not terminated, or has an unknown escape');
  if (cursor.take(/\(/y)) {
    cursor.skip(SPACE_AND_LINES);
    const alternatives = readAlternatives(cursor, depth + 1);
    if (!cursor.take(/\)/y)) throw cursor.error('")" is missing');
    return { kind: 'group', alternatives, isOptional };
  }
  const [name] = cursor.take(NAME) ?? [];
  return name === undefined ? undefined : { kind: 'rule', name, line, isOptional };
}

/** Whether the preceding item may be left out. */
function readRepeats(cursor: Cursor): boolean {
  let isOptional = false;
  for (let found = cursor.take(REPEAT); found; found = cursor.take(REPEAT)) {
    const [sign, min, isRange, max] = found;
    const counts = [min, max].filter(Boolean).map(Number);
    if (counts.some((count) => count > REPEATS_MAX))
      throw cursor.error(`a repetition may have at most ${REPEATS_MAX} items`);
    if (isRange && max && Number(min) > Number(max)) throw cursor.error(`the range of "${sign}" is reversed`);
    isOptional ||= sign === '*' || sign === '?' || Number(min ?? 1) === 0;
  }
  return isOptional;
}

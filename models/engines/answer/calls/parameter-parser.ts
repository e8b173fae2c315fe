import type { ArgumentsReader } from './call-format.ts';
import { matchText } from './call-text.ts';
import type { ParameterFormat } from './parameter-format.ts';
import type { ParameterKind } from './parameter-kinds.ts';
import { createStopMatcher } from '../stop-matcher.ts';

/** Builds the JSON of arguments written one by one, while they are streamed. */
export function createParameterParser(
  format: ParameterFormat,
  kindOf: (parameter: string) => ParameterKind,
): ArgumentsReader {
  const { first, none, middle, json: jsonMiddle, next, last } = format;
  const bothBegin = jsonMiddle === undefined ? middle : commonStart(middle, jsonMiddle);
  const nameEnd = /^\S+/.exec(bothBegin)?.[0] ?? bothBegin;
  let held = '';
  let count = 0;
  let json = '';
  let value: ValueReader | undefined;
  let place: 'before' | 'name' | 'value' | 'over' = 'before';

  /** Each returns true when the next phase may continue. */
  const read = {
    before(): boolean {
      const opening = matchText(count === 0 ? first : next, held);
      if (opening?.left !== undefined) return false;
      if (opening) {
        held = held.slice(opening.length);
        place = 'name';
        return true;
      }
      const closing = matchText(count === 0 ? none : last, held);
      if (closing?.left !== undefined) return false;
      held = held.slice(closing?.length ?? 0);
      json += count === 0 ? '{}' : '}';
      place = 'over';
      return false;
    },
    name(): boolean {
      const length = held.indexOf(nameEnd);
      if (length === -1) return false;
      const marks = [middle, jsonMiddle].map((mark) =>
        mark === undefined ? undefined : matchText(mark, held.slice(length)),
      );
      const found = marks.findIndex((mark) => mark?.length !== undefined);
      if (found === -1 && marks.some((mark) => mark?.left !== undefined)) return false;
      const name = held.slice(0, length).trim();
      held = held.slice(length + (marks[found]?.length ?? nameEnd.length));
      json += `${count === 0 ? '{' : ', '}${JSON.stringify(name)}: `;
      count += 1;
      const marked = found === 1 ? 'json' : 'text';
      value = createValueReader(jsonMiddle === undefined ? kindOf(name) : marked, format);
      place = 'value';
      return true;
    },
    value(): boolean {
      const { text, rest } = value?.push(held) ?? { text: '' };
      json += text;
      held = rest ?? '';
      if (rest === undefined) return false;
      place = 'before';
      return true;
    },
    over: () => false,
  };

  return {
    push(text) {
      held += text;
      json = '';
      while (read[place]());
      return place === 'over' ? { json, rest: held } : { json };
    },
  };
}

function commonStart(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return one.slice(0, length);
}

type ValueReader = { push(text: string): { text: string; rest?: string } };

function createValueReader(kind: ParameterKind, format: ParameterFormat): ValueReader {
  const { end, hasCharacterData = false } = format;
  if (kind === 'json') return createJsonReader(end.trimStart());
  if (kind === 'text') return hasCharacterData ? createDataReader(end) : createTextReader(endsOf(end));
  const isNullable = kind === 'nullable';
  return createWholeReader(endsOf(end), (text) =>
    isNullable ? (text === 'null' ? text : quote(text)) : guess(text),
  );
}

/** Some models forget the line break that ends a value. */
function endsOf(end: string): string[] {
  return [...new Set([end, end.trimStart()])];
}

const DATA = ['<![CDATA[', ']]>'] as const;

/** Waits until it is clear whether the text is verbatim or CDATA. */
function createDataReader(end: string): ValueReader {
  let held = '';
  let reader: ValueReader | undefined;
  return {
    push(text) {
      if (reader) return reader.push(text);
      held += text;
      const [begin, close] = DATA;
      if (begin.startsWith(held) && begin !== held) return { text: '' };
      const isData = held.startsWith(begin);
      reader = createTextReader(isData ? [close + end] : endsOf(end));
      return reader.push(isData ? held.slice(begin.length) : held);
    },
  };
}

function createTextReader(endTexts: readonly string[]): ValueReader {
  const ends = createStopMatcher(endTexts);
  let opening = '"';
  return {
    push(text) {
      const { text: shown, stop } = ends.push(text);
      const written = opening + quote(shown).slice(1, -1);
      opening = '';
      return stop ? { text: `${written}"`, rest: stop.rest } : { text: written };
    },
  };
}

/** Passes JSON through; an end tag inside a string does not end anything. */
function createJsonReader(end: string): ValueReader {
  let held = '';
  let inString = false;
  return {
    push(text) {
      held += text;
      let place = 0;
      while (place < held.length) {
        const rest = held.slice(place);
        if (!inString && rest.startsWith(end)) {
          return { text: held.slice(0, place), rest: rest.slice(end.length) };
        }
        if (!inString && end.startsWith(rest)) break;
        if (inString && rest === '\\') break;
        if (rest[0] === '"') inString = !inString;
        place += inString && rest[0] === '\\' ? 2 : 1;
      }
      const shown = held.slice(0, place);
      held = held.slice(place);
      return { text: shown };
    },
  };
}

/** For values whose type is only known at their end. */
function createWholeReader(endTexts: readonly string[], toJson: (text: string) => string): ValueReader {
  const ends = createStopMatcher(endTexts);
  let whole = '';
  return {
    push(text) {
      const { text: shown, stop } = ends.push(text);
      whole += shown;
      return stop ? { text: toJson(whole), rest: stop.rest } : { text: '' };
    },
  };
}

/** A value of unknown type is JSON if it parses as such, otherwise a string. */
function guess(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return quote(text);
  }
}

function quote(text: string): string {
  return JSON.stringify(text);
}

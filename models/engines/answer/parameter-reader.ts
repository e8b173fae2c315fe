import type { ParameterFormat } from './parameter-format.ts';
import type { ParameterKind } from './parameter-kinds.ts';
import { createStopMatcher } from './stop-matcher.ts';

/** Makes the JSON of arguments that stand one by one, while they are written. */
export function createParameterReader(format: ParameterFormat, kindOf: (parameter: string) => ParameterKind) {
  const { first, none, middle, end, next, last } = format;
  let held = '';
  let count = 0;
  let json = '';
  let value: ValueReader | undefined;
  let place: 'before' | 'name' | 'value' | 'over' = 'before';

  /** Each reads what it can, and is true when something else may come now. */
  const read = {
    before(): boolean {
      const opening = count === 0 ? first : next;
      if (held.startsWith(opening)) {
        held = held.slice(opening.length);
        place = 'name';
        return true;
      }
      const closing = count === 0 ? none : last;
      if (opening.startsWith(held) || closing.length > held.length) return false;
      held = held.slice(closing.length);
      json += count === 0 ? '{}' : '}';
      place = 'over';
      return false;
    },
    name(): boolean {
      const length = held.indexOf(middle);
      if (length === -1) return false;
      const name = held.slice(0, length);
      held = held.slice(length + middle.length);
      json += `${count === 0 ? '{' : ', '}${JSON.stringify(name)}: `;
      count += 1;
      value = createValueReader(kindOf(name), end);
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
    /** The next piece of JSON, and what came after the arguments, when they are over. */
    push(text: string): { json: string; rest?: string } {
      held += text;
      json = '';
      while (read[place]());
      return place === 'over' ? { json, rest: held } : { json };
    },
  };
}

type ValueReader = { push(text: string): { text: string; rest?: string } };

function createValueReader(kind: ParameterKind, end: string): ValueReader {
  if (kind === 'text') return createTextReader(end);
  if (kind === 'json') return createJsonReader(end);
  const isNullable = kind === 'nullable';
  return createWholeReader(end, (text) =>
    isNullable ? (text === 'null' ? text : quote(text)) : guess(text),
  );
}

function createTextReader(end: string): ValueReader {
  const ends = createStopMatcher([end]);
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

/** Passes JSON on as it is; what stands in a string of it ends nothing. */
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

/** Where only the whole value says what it is. */
function createWholeReader(end: string, toJson: (text: string) => string): ValueReader {
  const ends = createStopMatcher([end]);
  let whole = '';
  return {
    push(text) {
      const { text: shown, stop } = ends.push(text);
      whole += shown;
      return stop ? { text: toJson(whole), rest: stop.rest } : { text: '' };
    },
  };
}

/** A value of no known type is JSON where it reads as such, and else a text. */
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

import type { ArgumentsReader } from '../call-format.ts';

export type LiteralOptions = {
  /** The quotation marks of a string. */
  quotes: readonly string[];
  /** A backslash in a string starts an escape sequence. */
  hasEscapes: boolean;
  /** Between the name of an argument and its value. */
  assign: string;
  /** Ends the arguments. */
  close: string;
  /** Words with a different spelling in JSON. */
  words: Readonly<Record<string, string>>;
};

type Place = 'key' | 'value';
type Container = { close: string; isObject: boolean };

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  '0': '\0',
  '\n': '',
};
const CODE_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };
const CLOSES: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}' };
const WORD = /^[^\s,:=()[\]{}'"<>]+/;

/** Converts arguments written as literals of another language to JSON while they are streamed. */
export function createLiteralReader(options: LiteralOptions): ArgumentsReader {
  const { quotes, hasEscapes, assign, close, words } = options;
  const containers: Container[] = [];
  let held = '';
  let json = '';
  let place: Place = 'key';
  let comma = false;
  let isBegun = false;
  let quote: string | undefined;
  let isOver = false;

  function begin(text: string): void {
    if (!isBegun) json += '{';
    isBegun = true;
    if (comma) json += ', ';
    comma = false;
    json += text;
  }

  /** Each returns true when it consumed something. */
  function readText(): boolean {
    if (quote === undefined) return false;
    const end = held.indexOf(quote);
    const escape = hasEscapes ? held.indexOf('\\') : -1;
    if (escape !== -1 && (end === -1 || escape < end)) {
      const { text, length } = unescape(held.slice(escape));
      json += inQuotes(held.slice(0, escape));
      held = held.slice(escape);
      if (length === undefined) return false;
      json += inQuotes(text);
      held = held.slice(length);
      return true;
    }
    const shown = end === -1 ? Math.max(0, held.length - quote.length + 1) : end;
    json += inQuotes(held.slice(0, shown));
    held = held.slice(end === -1 ? shown : shown + quote.length);
    if (end === -1) return false;
    json += '"';
    quote = undefined;
    return true;
  }

  function readMark(): boolean {
    held = held.trimStart();
    const character = held[0];
    if (character === undefined) return false;
    const opened = quotes.find((one) => held.startsWith(one));
    if (opened === undefined && quotes.some((one) => one.startsWith(held))) return false;
    if (opened !== undefined) {
      begin('"');
      quote = opened;
      held = held.slice(opened.length);
      return true;
    }
    return readSign(character) || readWord();
  }

  function readSign(character: string): boolean {
    const container = containers.at(-1);
    const closing = container?.close ?? close;
    const isObject = container?.isObject ?? true;
    const opening = CLOSES[character];
    if (character === closing) closeOne(container);
    else if (opening !== undefined) {
      begin(character === '(' ? '[' : character);
      containers.push({ close: opening, isObject: character === '{' });
      place = character === '{' ? 'key' : 'value';
    } else if (character === ',') {
      comma = true;
      place = isObject ? 'key' : 'value';
    } else if (character === (container ? ':' : assign)) {
      json += ': ';
      place = 'value';
    } else return false;
    held = held.slice(1);
    return true;
  }

  function closeOne(container: Container | undefined): void {
    comma = false;
    if (container) {
      containers.pop();
      json += container.isObject ? '}' : ']';
      return;
    }
    if (!isBegun) json += '{';
    json += '}';
    isOver = true;
  }

  /** A word is complete only when something else follows it. */
  function readWord(): boolean {
    const word = WORD.exec(held)?.[0] ?? held[0] ?? '';
    if (word.length === held.length) return false;
    begin(place === 'key' ? JSON.stringify(word) : (words[word] ?? numberOr(word)));
    held = held.slice(word.length);
    return true;
  }

  return {
    push(text) {
      held += text;
      json = '';
      while (!isOver && (quote === undefined ? readMark() : readText()));
      return isOver ? { json, rest: held } : { json };
    },
  };
}

function inQuotes(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function numberOr(word: string): string {
  return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(word) ? word : JSON.stringify(word);
}

/** No length while more of it is to come. */
function unescape(held: string): { text: string; length?: number } {
  const letter = held[1];
  if (letter === undefined) return { text: '' };
  const digits = CODE_DIGITS[letter];
  if (digits === undefined) return { text: ESCAPES[letter] ?? escapedAsIs(letter), length: 2 };
  if (held.length < 2 + digits) return { text: '' };
  const code = Number.parseInt(held.slice(2, 2 + digits), 16);
  const isCode = code >= 0 && code <= 0x10ffff;
  return { text: isCode ? String.fromCodePoint(code) : held.slice(0, 2 + digits), length: 2 + digits };
}

function escapedAsIs(letter: string): string {
  return '\\\'"/'.includes(letter) ? letter : `\\${letter}`;
}

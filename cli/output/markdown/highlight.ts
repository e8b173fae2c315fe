import { LANGUAGES, TOKEN, type Language } from './languages.ts';
import { PLAIN, type Piece, type Style } from './style.ts';

/** Highlights line by line; remembers open comments and strings. */
export type Highlighter = (line: string) => Piece[];

const NUMBER = /(?<![\w.])(?:0[xob][\da-f_]+|\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?)[a-z]*/iy;
const CALLED = /[A-Za-z_]\w*(?=\()/y;
const WORD = /[A-Za-z_]\w*/y;

type Span = Language['spans'][number];

/** For the language of the fence; code in an unknown language stays plain. */
export function createHighlighter(info: string): Highlighter {
  const name = /^\s*\{?\.?([^\s{},:]+)/.exec(info)?.[1]?.toLowerCase() ?? '';
  const language = LANGUAGES.get(name);
  if (language === undefined) return (line) => [{ text: line, style: PLAIN }];
  let open: Span | undefined;
  return (line) => {
    const pieces: Piece[] = [];
    for (let place = 0; place < line.length;) {
      const token: Token = open ? restOfSpan(line, place, open) : readToken(language, line, place);
      open = token.open;
      pieces.push({ text: line.slice(place, token.end), style: token.style });
      place = token.end;
    }
    return pieces;
  };
}

type Token = { end: number; style: Style; open?: Span };

function readToken(language: Language, line: string, place: number): Token {
  const comment = language.comments.some(
    (mark) => line.startsWith(mark, place) && (mark !== '#' || !/\S/.test(line[place - 1] ?? ' ')),
  );
  if (comment) return { end: line.length, style: TOKEN.comment };
  const span = language.spans.find(([mark]) => line.startsWith(mark, place));
  if (span) return restOfSpan(line, place + span[0].length, span);
  return (
    readRule(language, line, place) ?? readQuoted(language, line, place) ?? readWord(language, line, place)
  );
}

function restOfSpan(line: string, from: number, span: Span): Token {
  const [, close, style] = span;
  const found = line.indexOf(close, from);
  return found < 0 ? { end: line.length, style, open: span } : { end: found + close.length, style };
}

function readRule({ rules }: Language, line: string, place: number): Token | undefined {
  for (const [pattern, style] of rules) {
    const end = matchEnd(pattern, line, place);
    if (end > place) return { end, style };
  }
  return undefined;
}

/** A quote that is not closed on its line may be an apostrophe. */
function readQuoted({ quotes }: Language, line: string, place: number): Token | undefined {
  const mark = line[place] ?? '';
  if (!quotes.includes(mark)) return undefined;
  for (let end = place + 1; end < line.length; end++) {
    if (line[end] === '\\') end++;
    else if (line[end] === mark) return { end: end + 1, style: TOKEN.string };
  }
  return undefined;
}

function readWord({ keywords, ignoresCase }: Language, line: string, place: number): Token {
  const number = matchEnd(NUMBER, line, place);
  if (number > place) return { end: number, style: TOKEN.number };
  const end = matchEnd(WORD, line, place);
  if (end === place) return { end: place + 1, style: PLAIN };
  const word = line.slice(place, end);
  if (keywords.has(ignoresCase ? word.toLowerCase() : word)) return { end, style: TOKEN.keyword };
  return { end, style: matchEnd(CALLED, line, place) === end ? TOKEN.name : PLAIN };
}

function matchEnd(pattern: RegExp, line: string, place: number): number {
  pattern.lastIndex = place;
  const found = pattern.exec(line);
  return found ? place + found[0].length : place;
}

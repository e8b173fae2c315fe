import { BOLD, combine, DIM, PLAIN, UNDERLINE, type Piece, type Style } from './style.ts';

/** What the start of a line tells: that it is text, which can be shown as it arrives, */
export type TextStart = { kind: 'text'; prefix: Piece[]; hanging: Piece[]; style: Style; rest: string };
/** or that only the whole line can tell. */
export type WholeStart = { kind: 'fence' | 'row' | 'rule'; quotes: Piece[]; rest: string };

const QUOTE = /^ {0,3}> ?/;
const RULE = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/;

/** Undefined if more characters could change the result. `isWhole` means that none will come. */
export function readLineStart(line: string, isWhole: boolean): TextStart | WholeStart | undefined {
  const { quotes, rest } = takeQuotes(line);
  if (!isWhole && isUndecided(rest)) return undefined;
  if (/^[ \t]*(?:```|~~~)/.test(rest)) return { kind: 'fence', quotes, rest };
  if (/^[ \t]*\|/.test(rest)) return { kind: 'row', quotes, rest };
  if (isWhole && RULE.test(rest)) return { kind: 'rule', quotes, rest };
  return readText(quotes, rest);
}

/** The quote markers, limited to `most`. */
export function takeQuotes(line: string, most = Infinity): { quotes: Piece[]; rest: string } {
  const quotes: Piece[] = [];
  let rest = line;
  for (let found = QUOTE.exec(rest); found && quotes.length < most; found = QUOTE.exec(rest)) {
    quotes.push({ text: '│ ', style: DIM });
    rest = rest.slice(found[0].length);
  }
  return { quotes, rest };
}

/** Spaces, the start of a marker, or a row of `-` that may be a rule. */
function isUndecided(rest: string): boolean {
  return (
    /^[ \t]*(?:#{1,6}|`{1,2}|~{1,2}|[-*+]|\d{1,9}[.)]?)?$/.test(rest) ||
    /^ {0,3}([-*_])(?:[ \t]*\1)*[ \t]*$/.test(rest)
  );
}

function readText(quotes: Piece[], rest: string): TextStart {
  const heading = /^ {0,3}(#{1,6})[ \t]+/.exec(rest);
  if (heading) {
    const style = heading[1] === '#' ? combine(BOLD, UNDERLINE) : BOLD;
    return text(quotes, [], '', style, rest.slice(heading[0].length));
  }
  const item = /^([ \t]*)([-*+]|\d{1,9}[.)])([ \t]+|$)/.exec(rest);
  if (item) {
    const [all, space = '', mark = ''] = item;
    const indent = expand(space);
    const shown = /[-*+]/.test(mark) ? '•' : mark;
    const prefix = [...piece(indent), { text: shown, style: DIM }, ...piece(' ')];
    return text(quotes, prefix, indent + ' '.repeat(shown.length + 1), PLAIN, rest.slice(all.length));
  }
  const indent = /^[ \t]*/.exec(rest)?.[0] ?? '';
  return text(quotes, piece(expand(indent)), expand(indent), PLAIN, rest.slice(indent.length));
}

function text(quotes: Piece[], prefix: Piece[], hanging: string, style: Style, rest: string): TextStart {
  return {
    kind: 'text',
    prefix: [...quotes, ...prefix],
    hanging: [...quotes, ...piece(hanging)],
    style,
    rest,
  };
}

function piece(spaces: string): Piece[] {
  return spaces === '' ? [] : [{ text: spaces, style: PLAIN }];
}

const expand = (space: string) => space.replaceAll('\t', '    ');

/** Placeholder for an id that the model makes up: letters and digits. */
export const ID_MARK = '\uE002';
/** Placeholder for the name, repeated. */
export const NAME_MARK = '\uE004';
/** Placeholder for a number that counts calls. */
export const INDEX_MARK = '\uE005';
/** Placeholder for the type of a value that is not a string. */
export const KIND_MARK = '\uE006';

const FILLED: Readonly<Record<string, RegExp>> = {
  [ID_MARK]: /^[\w.-]{0,64}/,
  [INDEX_MARK]: /^\d{0,6}/,
  [KIND_MARK]: /^(?!string)[a-z]{0,16}/,
};

/**
 * How far a text matches a format: completely, after this many characters, or only up to where this much of the
 * format is left.
 */
export type TextMatch = { length: number; left?: undefined } | { left: string; length?: undefined };

/**
 * Whitespace matches loosely, as models write it: any amount, or none, wherever a format has some, and between its
 * tags. Only whitespace at the very end is exact, since a value may start with more of it. Undefined if the text does
 * not match.
 */
export function matchText(format: string, text: string): TextMatch | undefined {
  const end = format.trimEnd().length;
  let place = 0;
  for (let at = 0; at < end; at++) {
    const wanted = format[at] ?? '';
    if (isBlank(wanted)) {
      const blanks = blanksAt(text, place);
      if (blanks > 0 && endsLine(format, at) && !text.slice(place, place + blanks).includes('\n'))
        return undefined;
      place += blanks;
      if (place === text.length)
        return { left: blanks > 0 ? format.slice(at).trimStart() : format.slice(at) };
      continue;
    }
    const filled = FILLED[wanted];
    if (filled) {
      const length = filled.exec(text.slice(place, place + 64))?.[0].length ?? 0;
      place += length;
      if (place === text.length) return { left: format.slice(length > 0 ? at + 1 : at) };
      continue;
    }
    if (text[place] !== wanted && mayHaveBlanks(format, at)) place += blanksAt(text, place);
    if (place === text.length) return { left: format.slice(at) };
    if (text[place] !== wanted) return undefined;
    place++;
  }
  for (let at = end; at < format.length; at++) {
    if (place === text.length) return { left: format.slice(at) };
    if (text[place] !== format[at]) break;
    place++;
  }
  return { length: place };
}

function mayHaveBlanks(format: string, at: number): boolean {
  return at === 0 || !/\w/.test(format[at] ?? '') || !/\w/.test(format[at - 1] ?? '');
}

function blanksAt(text: string, place: number): number {
  let length = 0;
  while (isBlank(text[place + length] ?? '')) length++;
  return length;
}

/** After a tag that ends its line, a space continues nothing: it is content. */
function endsLine(format: string, at: number): boolean {
  return format[at - 1] === '>' && format.slice(at, at + blanksAt(format, at)).includes('\n');
}

function isBlank(character: string): boolean {
  return character === ' ' || character === '\n' || character === '\t' || character === '\r';
}

/** The format around a name, with the name wherever it is repeated. */
export function withName(format: string, name: string): string {
  return format.replaceAll(NAME_MARK, name);
}

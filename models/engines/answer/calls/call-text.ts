/** Stands in a format for an id that the model makes up: letters and digits. */
export const ID_MARK = '\uE002';
/** For the name once more. */
export const NAME_MARK = '\uE004';
/** For a number that counts calls. */
export const INDEX_MARK = '\uE005';
/** For the kind of a value that is no text. */
export const KIND_MARK = '\uE006';

const FILLED: Readonly<Record<string, RegExp>> = {
  [ID_MARK]: /^[\w.-]{0,64}/,
  [INDEX_MARK]: /^\d{0,6}/,
  [KIND_MARK]: /^(?!string)[a-z]{0,16}/,
};

/** How far a text goes along a format: to its end, after so many characters, or only so far that this is left of it. */
export type TextMatch = { length: number; left?: undefined } | { left: string; length?: undefined };

/**
 * Blanks count as models use them: as many as they like or none wherever a format has some, and between its marks. Only
 * those at its very end are taken as they are, since a value may begin with more of them. Undefined where the text is
 * something else.
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

/** Behind a tag that ends its line nothing goes on behind a space: those are words. */
function endsLine(format: string, at: number): boolean {
  return format[at - 1] === '>' && format.slice(at, at + blanksAt(format, at)).includes('\n');
}

function isBlank(character: string): boolean {
  return character === ' ' || character === '\n' || character === '\t' || character === '\r';
}

/** What stands around a name, with the name wherever the format repeats it. */
export function withName(format: string, name: string): string {
  return format.replaceAll(NAME_MARK, name);
}

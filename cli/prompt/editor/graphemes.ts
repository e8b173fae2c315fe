const SEGMENTER = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const ONE_EACH = /^[ -~]*$/;
const WORD = /[\p{L}\p{N}_]/u;

const isAscii = (code: number) => code < 0x80;

/** Characters as people see them: an emoji of several code points is one. */
export function graphemesOf(text: string): string[] {
  if (ONE_EACH.test(text)) return text.split('');
  return Array.from(SEGMENTER.segment(text), ({ segment }) => segment);
}

/** Where the character before this position begins. */
export function positionBefore(text: string, at: number): number {
  if (at <= 1) return 0;
  // No character of several code points ends with an ASCII one.
  if (isAscii(text.charCodeAt(at - 1))) return at - 1;
  const start = lineStart(text, at);
  let before = start;
  for (const { index } of SEGMENTER.segment(text.slice(start, lineEnd(text, at)))) {
    if (start + index >= at) break;
    before = start + index;
  }
  return before;
}

/** Where the character at this position ends. */
export function positionAfter(text: string, at: number): number {
  if (at + 1 >= text.length) return text.length;
  if (isAscii(text.charCodeAt(at)) && isAscii(text.charCodeAt(at + 1))) return at + 1;
  const end = lineEnd(text, at);
  if (end === at) return at + 1;
  const [first = ''] = graphemesOf(text.slice(at, end));
  return at + first.length;
}

export function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

export function wordBefore(text: string, at: number): number {
  let from = at;
  const isWord = () => WORD.test(text.slice(positionBefore(text, from), from));
  while (from > 0 && !isWord()) from = positionBefore(text, from);
  while (from > 0 && isWord()) from = positionBefore(text, from);
  return from;
}

export function wordAfter(text: string, at: number): number {
  let to = at;
  const isWord = () => WORD.test(text.slice(to, positionAfter(text, to)));
  while (to < text.length && !isWord()) to = positionAfter(text, to);
  while (to < text.length && isWord()) to = positionAfter(text, to);
  return to;
}

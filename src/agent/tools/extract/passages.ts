/** A piece of a document, small enough for a small model and large enough to make sense. */
export type Passage = {
  text: string;
  /** The headings above it. */
  heading: string;
  /** Of a PDF, from 1. */
  page?: number;
};

/** How long passages are, and how much of one is repeated in the next. */
export type PassageSize = { characters: number; overlap: number };

const USUAL: PassageSize = { characters: 900, overlap: 120 };
const HEADING_MAX = 160;

/**
 * Splits at paragraphs, then at sentences, then anywhere. A heading starts a passage and stays with the text below
 * it.
 */
export function cutPassages(text: string, page?: number, size: PassageSize = USUAL): Passage[] {
  const { characters, overlap } = size;
  const passages: Passage[] = [];
  const headings: string[] = [];
  let current = '';
  const close = (): void => {
    const piece = current.trim();
    if (piece !== '')
      passages.push({ text: piece, heading: joinHeadings(headings), ...(page !== undefined && { page }) });
    current = '';
  };
  for (const paragraph of text.split(/\n{2,}/)) {
    const heading = /^(#{1,6})\s+(.+)$/.exec(paragraph.trim());
    if (heading?.[1] !== undefined) {
      close();
      headings.length = Math.min(headings.length, heading[1].length - 1);
      headings.push((heading[2] ?? '').trim());
      continue;
    }
    for (const piece of cutLong(paragraph, characters)) {
      if (current !== '' && current.length + piece.length + 2 > characters) {
        const tail = endOf(current, overlap);
        close();
        current = tail.length + piece.length + 1 <= characters + overlap ? tail : '';
      }
      current += (current === '' ? '' : '\n\n') + piece;
    }
  }
  close();
  return passages;
}

function joinHeadings(headings: readonly string[]): string {
  return headings.filter(Boolean).join(' > ').slice(0, HEADING_MAX);
}

/** The last sentences of a passage, repeated at the start of the next one. */
function endOf(text: string, overlap: number): string {
  if (overlap === 0) return '';
  const last = text.slice(-overlap);
  const start = last.search(/(?<=[.!?]\s)\S/);
  return start < 0 ? '' : last.slice(start).trim();
}

function cutLong(paragraph: string, characters: number): string[] {
  const text = paragraph.trim();
  if (text.length <= characters) return text === '' ? [] : [text];
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > characters) {
    const at = lastBreak(rest.slice(0, characters));
    pieces.push(rest.slice(0, at).trim());
    rest = rest.slice(at).trimStart();
  }
  return [...pieces, rest].filter((piece) => piece !== '');
}

function lastBreak(text: string): number {
  for (const pattern of [/\n(?!.*\n)/s, /[.!?]\s(?!.*[.!?]\s)/s, /\s(?!.*\s)/s]) {
    const at = text.search(pattern);
    if (at > text.length / 3) return at + 1;
  }
  return text.length;
}

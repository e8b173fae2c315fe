/** A piece of a document, small enough for a small model and large enough to be understood. */
export type Passage = {
  text: string;
  /** The headings above it. */
  heading: string;
  /** Of a PDF, from 1. */
  page?: number;
};

const CHARACTERS = 900;
const OVERLAP = 120;
const HEADING_MAX = 160;

/**
 * Splits at paragraphs, then at sentences, then anywhere. A heading starts a passage and stays with the text below
 * it.
 */
export function cutPassages(text: string, page?: number): Passage[] {
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
    for (const piece of cutLong(paragraph)) {
      if (current !== '' && current.length + piece.length + 2 > CHARACTERS) {
        const tail = endOf(current);
        close();
        current = tail.length + piece.length + 1 <= CHARACTERS + OVERLAP ? tail : '';
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
function endOf(text: string): string {
  const last = text.slice(-OVERLAP);
  const start = last.search(/(?<=[.!?]\s)\S/);
  return start < 0 ? '' : last.slice(start).trim();
}

function cutLong(paragraph: string): string[] {
  const text = paragraph.trim();
  if (text.length <= CHARACTERS) return text === '' ? [] : [text];
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > CHARACTERS) {
    const at = lastBreak(rest.slice(0, CHARACTERS));
    pieces.push(rest.slice(0, at).trim());
    rest = rest.slice(at).trimStart();
  }
  return [...pieces, rest].filter((piece) => piece !== '');
}

function lastBreak(text: string): number {
  for (const pattern of [/\n(?!.*\n)/s, /[.!?]\s(?!.*[.!?]\s)/s, /\s(?!.*\s)/s]) {
    const at = text.search(pattern);
    if (at > CHARACTERS / 3) return at + 1;
  }
  return text.length;
}

const WORD = /[\p{L}\p{N}]+/gu;
const SHORTEST = 3;

/** A text in pieces. Those that start like a word of the query are marked, since the search compares stems. */
export function marked(text: string, query: string): { text: string; isMarked: boolean }[] {
  const stems = (query.match(WORD) ?? []).filter(({ length }) => length >= SHORTEST).map(stem);
  const pieces: { text: string; isMarked: boolean }[] = [];
  let from = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!stems.includes(stem(word))) continue;
    if (index > from) pieces.push({ text: text.slice(from, index), isMarked: false });
    pieces.push({ text: word, isMarked: true });
    from = index + word.length;
  }
  return from < text.length ? [...pieces, { text: text.slice(from), isMarked: false }] : pieces;
}

function stem(word: string): string {
  return word.toLowerCase().replace(/(?:ing|ed|es|s|e)$/u, '');
}

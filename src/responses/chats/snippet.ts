export type Snippet = { snippet: string; marks: [from: number, to: number][] };

const BEFORE = 40;
const LENGTH_MAX = 160;

/** The text around the first matching word, on one line, and where the words are in it. */
export function snippetOf(text: string, words: readonly string[]): Snippet {
  const line = text.replace(/\s/g, ' ');
  const folded = fold(line);
  const found = words.map((word) => folded.indexOf(fold(word))).filter((at) => at >= 0);
  const first = found.length === 0 ? 0 : Math.min(...found);
  const from = first <= BEFORE ? 0 : boundary(line, first - BEFORE);
  const to = from + LENGTH_MAX >= line.length ? line.length : boundary(line, from + LENGTH_MAX);
  const start = from === 0 ? '' : '…';
  const snippet = `${start}${line.slice(from, to)}${to === line.length ? '' : '…'}`;
  return { snippet, marks: marksIn(snippet, words) };
}

function marksIn(snippet: string, words: readonly string[]): Snippet['marks'] {
  const folded = fold(snippet);
  const marks: Snippet['marks'] = [];
  for (const word of words.map(fold)) {
    for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + word.length))
      marks.push([at, at + word.length]);
  }
  return merge(marks.sort(([a], [b]) => a - b));
}

function merge(marks: Snippet['marks']): Snippet['marks'] {
  const merged: Snippet['marks'] = [];
  for (const [from, to] of marks) {
    const last = merged.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

/** Without case and accents, as the index compares; every UTF-16 unit keeps its position. */
function fold(text: string): string {
  return text.replace(/[A-Z\u0080-\uffff]/g, (unit) =>
    unit.normalize('NFD').charAt(0).toLowerCase().charAt(0),
  );
}

/** Not between the two halves of a character. */
function boundary(text: string, at: number): number {
  return /[\udc00-\udfff]/.test(text.charAt(at)) ? at - 1 : at;
}

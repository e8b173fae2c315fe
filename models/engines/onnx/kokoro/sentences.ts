/** A piece of text that is said in one breath, and how long the silence after it is, in seconds. */
export type Piece = { text: string; pause: number };

const [CLAUSE, SENTENCE, PARAGRAPH] = [0.12, 0.3, 0.6];
/** A sentence that is longer is said in clauses, so that its beginning need not wait for its end. */
const CHARACTERS_MAX = 200;

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

export function toPieces(text: string): Piece[] {
  return text.split(/\n\s*\n/).flatMap((paragraph) => {
    const sentences = [...segmenter.segment(paragraph.replaceAll('\n', ' '))].map(({ segment }) =>
      segment.trim(),
    );
    const pieces = sentences.filter((sentence) => sentence !== '').flatMap(toClauses);
    return pieces.map((piece, index) =>
      index === pieces.length - 1 ? { ...piece, pause: PARAGRAPH } : piece,
    );
  });
}

function toClauses(sentence: string): Piece[] {
  const clauses: string[] = [];
  for (const part of sentence.split(/(?<=[,;:—])\s+/).flatMap(cutLong)) {
    const last = clauses.at(-1);
    if (last !== undefined && last.length + part.length < CHARACTERS_MAX)
      clauses[clauses.length - 1] = `${last} ${part}`;
    else clauses.push(part);
  }
  return clauses.map((text, index) => ({ text, pause: index === clauses.length - 1 ? SENTENCE : CLAUSE }));
}

/** At a space where there is one. */
function cutLong(text: string): string[] {
  if (text.length <= CHARACTERS_MAX) return [text];
  const space = text.lastIndexOf(' ', CHARACTERS_MAX);
  const at = space > 0 ? space : CHARACTERS_MAX;
  return [text.slice(0, at), ...cutLong(text.slice(at).trim())];
}

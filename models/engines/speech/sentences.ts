/** A piece of text that is synthesized at once, and the silence after it in seconds. */
export type Piece = { text: string; pause: number };

const [CLAUSE, SENTENCE, PARAGRAPH] = [0.12, 0.3, 0.6];
/** Longer sentences are split into clauses, so that their beginning need not wait for their end. */
const CHARACTERS_MAX = 200;
/** The limit for the first piece, if it can end this early: until it is synthesized, there is nothing to hear. */
const BEGINNING_MAX = 80;
/** Anything shorter sounds clipped. */
const BEGINNING_MIN = 20;

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

export function toPieces(text: string): Piece[] {
  return text.split(/\n\s*\n/).flatMap((paragraph, number) => {
    const sentences = [...segmenter.segment(paragraph.replaceAll('\n', ' '))].map(({ segment }) =>
      segment.trim(),
    );
    const pieces = sentences
      .filter((sentence) => sentence !== '')
      .flatMap((sentence, index) => toClauses(sentence, number === 0 && index === 0));
    return pieces.map((piece, index) =>
      index === pieces.length - 1 ? { ...piece, pause: PARAGRAPH } : piece,
    );
  });
}

function toClauses(sentence: string, isBeginning: boolean): Piece[] {
  const clauses: string[] = [];
  for (const part of sentence.split(/(?<=[,;:—])\s+/).flatMap(cutLong)) {
    const last = clauses.at(-1);
    const charactersMax = isBeginning && clauses.length === 1 ? beginningMax(last) : CHARACTERS_MAX;
    if (last !== undefined && last.length + part.length < charactersMax)
      clauses[clauses.length - 1] = `${last} ${part}`;
    else clauses.push(part);
  }
  return clauses.map((text, index) => ({ text, pause: index === clauses.length - 1 ? SENTENCE : CLAUSE }));
}

function beginningMax(clause = ''): number {
  return clause.length < BEGINNING_MIN ? CHARACTERS_MAX : BEGINNING_MAX;
}

/** At a space if there is one. */
function cutLong(text: string): string[] {
  if (text.length <= CHARACTERS_MAX) return [text];
  const space = text.lastIndexOf(' ', CHARACTERS_MAX);
  const at = space > 0 ? space : CHARACTERS_MAX;
  return [text.slice(0, at), ...cutLong(text.slice(at).trim())];
}

import { sentencesOf, stems } from '../reading/words.ts';
import type { FileHit } from './search-files.ts';

/** A file that supports a part of a text, with the words that support it. */
export type FileCitation = {
  index: number;
  fileId: string;
  name: string;
  quote: string;
  page: number | null;
};

const MARK = /\[(\d+(?:\s*,\s*\d+)*)\]/g;
const SENTENCE = /[^.!?\n]+[.!?]*/g;
const CODE = /```[\s\S]*?(?:```|$)/g;
const QUOTE_CHARACTERS_MAX = 400;
/** Without numbers, a passage must share this part of a sentence's words, and at least this many. */
const SHARED_MIN = 0.6;
const SHARED_WORDS_MIN = 3;

/**
 * The citations of an answer: by the passage numbers that it gives, or by shared words if it gives none. A number
 * without a passage cites nothing.
 */
export function citeFiles(text: string, passages: readonly FileHit[]): FileCitation[] {
  if (passages.length === 0) return [];
  const prose = text.replace(CODE, (code) => ' '.repeat(code.length));
  const marks = [...prose.matchAll(MARK)];
  return marks.length > 0 ? byNumbers(prose, marks, passages) : byWords(prose, passages);
}

function byNumbers(prose: string, marks: readonly RegExpExecArray[], passages: readonly FileHit[]) {
  return marks.flatMap((mark) =>
    (mark[1] ?? '').split(',').flatMap((number) => {
      const passage = passages[Number(number) - 1];
      return passage ? [toCitation(passage, mark.index, sentenceBefore(prose, mark.index))] : [];
    }),
  );
}

function sentenceBefore(prose: string, end: number): string {
  const before = prose.slice(0, end).replace(MARK, '').trimEnd();
  return sentencesOf(before).at(-1) ?? '';
}

function byWords(prose: string, passages: readonly FileHit[]): FileCitation[] {
  const known = passages.map((passage) => ({ passage, words: new Set(stems(passage.text)) }));
  return [...prose.matchAll(SENTENCE)].flatMap((match) => {
    const wanted = [...new Set(stems(match[0]))];
    const scored = known
      .map(({ passage, words }) => ({ passage, shared: wanted.filter((word) => words.has(word)).length }))
      .filter(({ shared }) => shared >= SHARED_WORDS_MIN && shared >= SHARED_MIN * wanted.length)
      .sort((a, b) => b.shared - a.shared);
    const [best] = scored;
    return best ? [toCitation(best.passage, match.index + match[0].length, match[0])] : [];
  });
}

function toCitation({ fileId, name, page, text }: FileHit, index: number, sentence: string): FileCitation {
  return { index, fileId, name, page, quote: quoteFor(sentence, text) };
}

/** The sentence of a passage that shares the most words. */
function quoteFor(sentence: string, text: string): string {
  const wanted = new Set(stems(sentence));
  const scored = sentencesOf(text)
    .filter((each) => each !== '')
    .map((each) => ({ each, shared: stems(each).filter((word) => wanted.has(word)).length }))
    .sort((a, b) => b.shared - a.shared);
  return (scored[0]?.each ?? '').slice(0, QUOTE_CHARACTERS_MAX);
}

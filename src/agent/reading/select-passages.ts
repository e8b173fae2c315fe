import type { Reading } from './extract-facts.ts';
import { mergeRanks, rankByWords, similarity } from './rank.ts';
import type { Page } from '../tools/read/pages.ts';
import { overlap } from './words.ts';

/** Vectors of texts, when an embedding model is loaded anyway. */
export type Vectors = (texts: readonly string[], signal: AbortSignal) => Promise<Float32Array[] | undefined>;

const TAKEN_MAX = 3;
const TOO_ALIKE = 0.8;
const COMPARED_MAX = 64;

/** The few passages of a page that are about the question, without repetition. */
export async function selectPassages(
  page: Page,
  query: string,
  vectors: Vectors,
  signal: AbortSignal,
): Promise<Reading[]> {
  const { passages, title, finalUrl, sha256 } = page;
  const texts = passages.map(({ heading, text }) => `${heading}\n${text}`);
  const byWords = rankByWords(query, texts).map(({ index }) => index);
  const byMeaning = await rankByMeaning(query, texts.slice(0, COMPARED_MAX), vectors, signal);
  const ranked = mergeRanks([byWords, byMeaning]);
  const order = ranked.length > 0 ? ranked : texts.map((_, index) => index);
  const taken: number[] = [];
  for (const index of order) {
    if (taken.length >= TAKEN_MAX) break;
    if (taken.every((each) => overlap(texts[each] ?? '', texts[index] ?? '') < TOO_ALIKE)) taken.push(index);
  }
  const source = { kind: 'web' as const, url: finalUrl, title: title || finalUrl, sha256 };
  return taken.flatMap((index) => {
    const passage = passages[index];
    return passage ? [{ ...passage, title, source }] : [];
  });
}

async function rankByMeaning(
  query: string,
  texts: readonly string[],
  vectors: Vectors,
  signal: AbortSignal,
): Promise<number[]> {
  if (texts.length < 2) return [];
  const [wanted, ...found] = (await vectors([query, ...texts], signal)) ?? [];
  if (wanted === undefined) return [];
  return found
    .map((vector, index) => ({ index, score: similarity(wanted, vector) }))
    .sort((a, b) => b.score - a.score)
    .map(({ index }) => index);
}

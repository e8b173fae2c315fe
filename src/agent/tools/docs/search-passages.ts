import type { Store } from '../../../store/store.ts';
import { mergeRanks, similarity } from '../../reading/rank.ts';
import { contentWords, wordsOf } from '../../reading/words.ts';
import type { Collection } from './collections.ts';

export type PassageHit = {
  id: number;
  path: string;
  title: string;
  heading: string;
  page: number | null;
  text: string;
  sha256: string;
};

/** How many results of each ranking are merged. */
const DEPTH = 50;
const WORDS_MAX = 24;

type Vectors = { version: number; ids: number[]; vectors: Float32Array[] };

export type PassageSearch = ReturnType<typeof createPassageSearch>;

/** Finds passages by keywords, and by meaning where they have vectors. */
export function createPassageSearch({ store }: { store: Store }) {
  /** Cached, since every search compares with all of them. */
  const kept = new Map<number, Vectors>();

  function search({ query, collections, limit, queryVector }: Search): PassageHit[] {
    const ids = collections.map(({ id }) => id);
    const byWords = findByWords(query, ids);
    const byMeaning = queryVector === undefined ? [] : findByMeaning(queryVector, collections);
    return mergeRanks([byWords, byMeaning])
      .slice(0, limit)
      .flatMap((id) => store.prepare<PassageHit>(HIT).all(id));
  }

  function findByWords(query: string, collectionIds: readonly number[]): number[] {
    const words = contentWords(query);
    const wanted = [...new Set(words.length > 0 ? words : wordsOf(query))].slice(0, WORDS_MAX);
    if (wanted.length === 0) return [];
    const match = wanted.map((word) => `"${word.replace(/"/g, '')}"`).join(' OR ');
    return store
      .prepare<{ id: number }>(BY_WORDS)
      .all(match, JSON.stringify(collectionIds), DEPTH)
      .map(({ id }) => id);
  }

  function findByMeaning(query: Float32Array, collections: readonly Collection[]): number[] {
    const scored: { id: number; score: number }[] = [];
    for (const collection of collections) {
      const { ids, vectors } = vectorsOf(collection);
      vectors.forEach((vector, at) => {
        if (vector.length === query.length)
          scored.push({ id: ids[at] ?? 0, score: similarity(query, vector) });
      });
    }
    return scored
      .sort((a, b) => b.score - a.score)
      .slice(0, DEPTH)
      .map(({ id }) => id);
  }

  function vectorsOf({ id, version }: Collection): Vectors {
    const found = kept.get(id);
    if (found?.version === version) return found;
    const rows = store.prepare<{ id: number; vector: Buffer }>(VECTORS).all(id);
    const read = {
      version,
      ids: rows.map((row) => row.id),
      vectors: rows.map(({ vector }) => new Float32Array(Uint8Array.from(vector).buffer)),
    };
    kept.set(id, read);
    return read;
  }

  return { search };
}

type Search = {
  query: string;
  collections: readonly Collection[];
  limit: number;
  queryVector?: Float32Array | undefined;
};

const BY_WORDS = `
  SELECT passage_index.rowid AS id FROM passage_index
  JOIN passages ON passages.id = passage_index.rowid JOIN documents ON documents.id = document_id
  WHERE passage_index MATCH ? AND collection_id IN (SELECT value FROM json_each(?))
  ORDER BY bm25(passage_index, 3.0, 2.0, 1.0), passage_index.rowid LIMIT ?`;

const HIT = `
  SELECT passages.id, path, title, heading, page, text, sha256
  FROM passages JOIN documents ON documents.id = document_id WHERE passages.id = ?`;

const VECTORS = `
  SELECT passages.id, vector FROM passages JOIN documents ON documents.id = document_id
  WHERE collection_id = ? AND vector IS NOT NULL`;

import type { Store } from '../../../store/store.ts';
import { scoreRanks, similarity } from '../../reading/rank.ts';
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
  documentId: number;
  /** 1 for a passage that is first by keywords and by meaning; comparable only within one search. */
  score: number;
};

/** How many results of each ranking are merged. */
const DEPTH = 50;
const WORDS_MAX = 24;

type Vectors = { version: number; ids: number[]; documents: number[]; vectors: Float32Array[] };

export type PassageSearch = ReturnType<typeof createPassageSearch>;

/** Finds passages by keywords, and by meaning if they have vectors. */
export function createPassageSearch({ store }: { store: Store }) {
  /** Cached, since every search compares with all of them. */
  const kept = new Map<number, Vectors>();

  function search({ query, collections, limit, meaning, documents, weights }: Search): PassageHit[] {
    const wanted = documents && new Set(documents);
    const { words = 1, vectors = 1 } = weights ?? {};
    const ranked = [
      { order: findByWords(query, collections, documents), weight: words },
      { order: meaning === undefined ? [] : findByMeaning(meaning, collections, wanted), weight: vectors },
    ];
    return scoreRanks(ranked)
      .slice(0, limit)
      .flatMap(({ key, score }) =>
        store
          .prepare<Omit<PassageHit, 'score'>>(HIT)
          .all(key)
          .map((hit) => ({ ...hit, score })),
      );
  }

  function findByWords(
    query: string,
    collections: readonly Collection[],
    documents: readonly number[] | undefined,
  ): number[] {
    const collectionIds = collections.map(({ id }) => id);
    const words = contentWords(query);
    const wanted = [...new Set(words.length > 0 ? words : wordsOf(query))].slice(0, WORDS_MAX);
    if (wanted.length === 0) return [];
    const match = wanted.map((word) => `"${word.replace(/"/g, '')}"`).join(' OR ');
    return store
      .prepare<{ id: number }>(BY_WORDS)
      .all({ match, collections: JSON.stringify(collectionIds), ...among(documents), depth: DEPTH })
      .map(({ id }) => id);
  }

  /** Vectors of another model cannot be compared with the query's. */
  function findByMeaning(
    { vector: query, model }: Meaning,
    collections: readonly Collection[],
    wanted: ReadonlySet<number> | undefined,
  ): number[] {
    const scored: { id: number; score: number }[] = [];
    for (const collection of collections.filter(({ embedder }) => embedder === model)) {
      const { ids, documents, vectors } = vectorsOf(collection);
      vectors.forEach((vector, at) => {
        if (vector.length === query.length && (wanted?.has(documents[at] ?? 0) ?? true))
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
    const rows = store.prepare<{ id: number; documentId: number; vector: Buffer }>(VECTORS).all(id);
    const read = {
      version,
      ids: rows.map((row) => row.id),
      documents: rows.map((row) => row.documentId),
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
  meaning?: Meaning | undefined;
  /** All of the collections when absent. */
  documents?: readonly number[] | undefined;
  /** How much either ranking counts. */
  weights?: { words: number; vectors: number } | undefined;
};

type Meaning = { vector: Float32Array; model: string };

const among = (documents: readonly number[] | undefined) => ({
  isAny: documents === undefined ? 1 : 0,
  documents: JSON.stringify(documents ?? []),
});

const BY_WORDS = `
  SELECT passage_index.rowid AS id FROM passage_index
  JOIN passages ON passages.id = passage_index.rowid JOIN documents ON documents.id = document_id
  WHERE passage_index MATCH @match AND collection_id IN (SELECT value FROM json_each(@collections))
    AND (@isAny OR document_id IN (SELECT value FROM json_each(@documents)))
  ORDER BY bm25(passage_index, 3.0, 2.0, 1.0), passage_index.rowid LIMIT @depth`;

const HIT = `
  SELECT passages.id, path, title, heading, page, text, sha256, document_id AS documentId
  FROM passages JOIN documents ON documents.id = document_id WHERE passages.id = ?`;

const VECTORS = `
  SELECT passages.id, document_id AS documentId, vector FROM passages JOIN documents ON documents.id = document_id
  WHERE collection_id = ? AND vector IS NOT NULL`;

import { basename } from 'node:path';
import type { Embedder, EmbedderContext } from '../reading/embedder.ts';
import type { Collection, Collections } from '../tools/docs/collections.ts';
import type { PassageHit, PassageSearch } from '../tools/docs/search-passages.ts';
import type { FileOwner } from '../../responses/files.ts';
import { readFilter, type Attributes } from './attributes.ts';
import type { StoreFiles } from './store-files.ts';
import type { Stores } from './stores.ts';

export type FileSearch = {
  stores: readonly StoreName[];
  /** Whether the owner's collections can also be searched, by name. */
  seesCollections: boolean;
  queries: readonly string[];
  /** As clients write it. */
  filters?: unknown;
  limit: number;
  scoreMin?: number | undefined;
  weights?: { words: number; vectors: number } | undefined;
};

/** The id of a store, and its position in the request. */
export type StoreName = { id: string; param: string };

export type FileHit = {
  fileId: string;
  name: string;
  attributes: Attributes;
  heading: string;
  page: number | null;
  text: string;
  score: number;
};

type Place = { collection: Collection; files: ReadonlyMap<string, { name: string; attributes: Attributes }> };

type Parts = {
  stores: Stores;
  storeFiles: StoreFiles;
  collections: Collections;
  passages: PassageSearch;
  embedder: Embedder;
};

/** Searches vector stores, and the owner's collections by name. */
export function createFileSearch({ stores, storeFiles, collections, passages, embedder }: Parts) {
  function placeOf({ id, param }: StoreName, owner: FileOwner, seesCollections: boolean): Place {
    const shared = seesCollections ? collections.list().find(({ name }) => name === id) : undefined;
    if (shared) return { collection: shared, files: new Map() };
    const vectorStore = stores.find(id, owner, param);
    stores.touch(id);
    const files = storeFiles.list(vectorStore).map((file) => [file.fileId, file] as const);
    return { collection: stores.collectionOf(vectorStore), files: new Map(files) };
  }

  /** Refuses stores of another key before anything else happens. */
  function check(
    { stores: names, seesCollections, filters }: Pick<FileSearch, 'stores' | 'seesCollections' | 'filters'>,
    owner: FileOwner,
  ) {
    if (filters !== undefined) readFilter(filters, 'filters');
    for (const name of names) placeOf(name, owner, seesCollections);
  }

  async function search(
    { stores: names, seesCollections, queries, filters, limit, scoreMin = 0, weights }: FileSearch,
    context: EmbedderContext,
  ): Promise<FileHit[]> {
    const places = names.map((name) => placeOf(name, context, seesCollections));
    const found = places.map(({ collection }) => collection);
    const documents = filters === undefined ? undefined : passing(places, filters);
    const model = embedder.model();
    const hasVectors = model !== undefined && found.some(({ embedder: by }) => by === model);
    const vectors = hasVectors ? await embedder.embed(queries, context) : [];
    const best = new Map<number, PassageHit>();
    for (const [at, query] of queries.entries()) {
      const vector = vectors[at];
      const meaning = vector && model !== undefined ? { vector, model } : undefined;
      for (const hit of passages.search({ query, collections: found, limit, meaning, documents, weights }))
        if (hit.score > (best.get(hit.id)?.score ?? -1)) best.set(hit.id, hit);
    }
    return [...best.values()]
      .filter(({ score }) => score >= scoreMin)
      .sort((a, b) => b.score - a.score)
      .slice(0, limit)
      .map((hit) => toHit(hit, places));
  }

  /** The documents whose attributes match. */
  function passing(places: readonly Place[], filters: unknown): number[] {
    const passes = readFilter(filters, 'filters');
    return places.flatMap(({ collection, files }) =>
      [...files].flatMap(([path, { attributes }]) => {
        const document = passes(attributes) ? collections.documentAt(collection.id, path) : undefined;
        return document ? [document.id] : [];
      }),
    );
  }

  return { check, search };
}

function toHit(
  { path, documentId, heading, page, text, score }: PassageHit,
  places: readonly Place[],
): FileHit {
  const file = places.map(({ files }) => files.get(path)).find((each) => each !== undefined);
  const rest = { heading, page, text, score };
  if (file) return { fileId: path, name: file.name, attributes: file.attributes, ...rest };
  return { fileId: `doc_${documentId}`, name: basename(path), attributes: {}, ...rest };
}

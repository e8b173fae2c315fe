import { basename } from 'node:path';
import type { Embedder, EmbedderContext } from '../reading/embedder.ts';
import type { Collection, Collections } from '../tools/docs/collections.ts';
import type { PassageHit, PassageSearch } from '../tools/docs/search-passages.ts';
import type { FileOwner } from '../../responses/files.ts';
import { readFilter, type Attributes } from './attributes.ts';
import type { StoreFiles } from './store-files.ts';
import type { Stores } from './stores.ts';

export type FileSearch = {
  storeIds: readonly string[];
  queries: readonly string[];
  /** As clients write it. */
  filters?: unknown;
  limit: number;
  scoreMin?: number | undefined;
  weights?: { words: number; vectors: number } | undefined;
  /** Where the ids stand in the request, for errors. */
  param: string;
};

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

/** Searches vector stores, and the owner's collections by their names. */
export function createFileSearch({ stores, storeFiles, collections, passages, embedder }: Parts) {
  function placeOf(id: string, owner: FileOwner, param: string): Place {
    const shared = collections.list().find(({ name }) => name === id);
    if (shared) return { collection: shared, files: new Map() };
    const vectorStore = stores.find(id, owner, param);
    stores.touch(id);
    const files = storeFiles.list(vectorStore).map((file) => [file.fileId, file] as const);
    return { collection: stores.collectionOf(vectorStore), files: new Map(files) };
  }

  /** Refuses what another key owns, before anything else happens. */
  function check(
    { storeIds, param, filters }: Pick<FileSearch, 'storeIds' | 'param' | 'filters'>,
    owner: FileOwner,
  ) {
    if (filters !== undefined) readFilter(filters, 'filters');
    for (const [place, id] of storeIds.entries()) placeOf(id, owner, `${param}[${place}]`);
  }

  async function search(
    { storeIds, queries, filters, limit, scoreMin = 0, weights, param }: FileSearch,
    context: EmbedderContext,
  ): Promise<FileHit[]> {
    const places = storeIds.map((id, at) => placeOf(id, context, `${param}[${at}]`));
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

  /** The documents whose attributes pass. */
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

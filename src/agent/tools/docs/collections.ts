import { randomInt } from 'node:crypto';
import type { Clock } from '../../../base/clock.ts';
import { Failure } from '../../../base/errors.ts';
import type { Store } from '../../../store/store.ts';
import type { ReadDocument } from '../extract/read-document.ts';
import type { FoundFile } from './files.ts';

export type Collection = {
  id: number;
  name: string;
  /** The model that computed the vectors of its passages, if there are any. */
  embedder: string | null;
  /** Incremented with every change. */
  version: number;
  documents: number;
  passages: number;
  bytes: number;
  updatedAt: number;
};

export type StoredDocument = { id: number; path: string; bytes: number; modifiedMs: number; sha256: string };

export type Collections = ReturnType<typeof createCollections>;

/** The rows of local documents: collections of files, split into passages, each in the full-text index. */
export function createCollections({ store, clock }: { store: Store; clock: Clock }) {
  function list(): Collection[] {
    return store.prepare<Collection>(LIST).all();
  }

  /** Includes the collections of vector stores, which belong to a key and are never listed. */
  function get(id: number): Collection | undefined {
    return store.prepare<Collection>(GET).get(id);
  }

  function create(name: string): number {
    const id = randomInt(ID_MAX);
    store.prepare(`${INSERT_COLLECTION} VALUES(@id, @name, @now, @now)`).run({ id, name, now: clock.now() });
    return id;
  }

  function find(name: string): Collection {
    const found = list().find((each) => each.name === name);
    if (found) return found;
    const names = list().map((each) => each.name);
    const known = names.length === 0 ? 'Add one: askd docs add FOLDER' : `Collections: ${names.join(', ')}.`;
    throw new Failure('not_found', `There is no collection "${name}". ${known}`, { param: 'collection' });
  }

  function open(name: string): Collection {
    if (!list().some((each) => each.name === name)) create(name);
    return find(name);
  }

  function documentsBelow(collectionId: number, root: string): StoredDocument[] {
    return store.prepare<StoredDocument>(DOCUMENTS_BELOW).all(collectionId, root);
  }

  /** Replaces the earlier passages of this file. */
  function put({ collection, root, file, document, vectors }: Putting): void {
    store.relaxedTransaction(() => {
      if (!get(collection.id)) throw removedMeanwhile();
      const before = store
        .prepare<{ id: number }>('SELECT id FROM documents WHERE collection_id = ? AND path = ?')
        .get(collection.id, file.path);
      if (before) remove(before.id);
      const { title, sha256, passages } = document;
      const row = { collectionId: collection.id, root, ...file, title, sha256, now: clock.now() };
      const documentId = store.prepare(INSERT_DOCUMENT).run(row).lastInsertRowid;
      passages.forEach(({ text, heading, page = null }, place) => {
        const vector = toBlob(vectors?.[place]);
        const { lastInsertRowid } = store
          .prepare(INSERT_PASSAGE)
          .run({ documentId, place, heading, page, text, vector });
        store
          .prepare('INSERT INTO passage_index(rowid, title, heading, text) VALUES(?, ?, ?, ?)')
          .run(lastInsertRowid, title, heading, text);
      });
      changed(collection.id);
    });
  }

  /** Same text, new modification time: only the time is stored. */
  function touch(documentId: number, { bytes, modifiedMs }: FoundFile): void {
    store.relaxedTransaction(() => {
      store
        .prepare('UPDATE documents SET bytes = ?, modified_ms = ? WHERE id = ?')
        .run(bytes, modifiedMs, documentId);
    });
  }

  function remove(documentId: number): void {
    store
      .prepare('DELETE FROM passage_index WHERE rowid IN (SELECT id FROM passages WHERE document_id = ?)')
      .run(documentId);
    store.prepare('DELETE FROM documents WHERE id = ?').run(documentId);
  }

  function removeDocuments(collectionId: number, documentIds: readonly number[]): void {
    if (documentIds.length === 0) return;
    store.relaxedTransaction(() => {
      documentIds.forEach(remove);
      changed(collectionId);
    });
  }

  function drop({ id }: Collection): void {
    store.transaction(() => {
      store
        .prepare(
          'DELETE FROM passage_index WHERE rowid IN (SELECT passages.id FROM passages JOIN documents ON ' +
            'documents.id = document_id WHERE collection_id = ?)',
        )
        .run(id);
      store.prepare('DELETE FROM collections WHERE id = ?').run(id);
    });
  }

  /** Vectors of two models cannot be compared, so vectors of another model are deleted. */
  function setEmbedder({ id }: Collection, embedder: string | null): void {
    store.transaction(() => {
      store.prepare(FORGET_VECTORS).run(id);
      store
        .prepare('UPDATE collections SET embedder = ?, version = version + 1 WHERE id = ?')
        .run(embedder, id);
    });
  }

  function withoutVector(collectionId: number, limit: number): BarePassage[] {
    return store.prepare<BarePassage>(BARE_PASSAGES).all(collectionId, limit);
  }

  /** A passage may be gone by now, and its number may belong to another text. */
  function setVectors(collectionId: number, vectors: readonly PassageVector[]): void {
    store.relaxedTransaction(() => {
      for (const { id, text, vector } of vectors)
        store
          .prepare('UPDATE passages SET vector = ? WHERE id = ? AND text = ?')
          .run(toBlob(vector), id, text);
      changed(collectionId);
    });
  }

  function documentAt(collectionId: number, path: string): { id: number; bytes: number } | undefined {
    return store
      .prepare<{ id: number; bytes: number }>(
        'SELECT id, bytes FROM documents WHERE collection_id = ? AND path = ?',
      )
      .get(collectionId, path);
  }

  function textsOf(documentId: number): string[] {
    return store
      .prepare<{ text: string }>('SELECT text FROM passages WHERE document_id = ? ORDER BY place')
      .all(documentId)
      .map(({ text }) => text);
  }

  /** Whether some were added while no embedding model was installed. */
  function lacksVectors({ id }: Collection): boolean {
    return store.prepare(WITHOUT_VECTOR).get(id) !== undefined;
  }

  function changed(collectionId: number): void {
    store
      .prepare('UPDATE collections SET version = version + 1, updated_at = ? WHERE id = ?')
      .run(clock.now(), collectionId);
  }

  return {
    ...{ list, get, create, find, open, documentsBelow, documentAt, textsOf, put, touch, removeDocuments },
    ...{ drop, setEmbedder, withoutVector, setVectors, lacksVectors },
  };
}

type PassageVector = { id: number; text: string; vector: Float32Array };
export type BarePassage = { id: number; title: string; heading: string; text: string };

type Putting = {
  collection: Collection;
  root: string;
  file: FoundFile;
  document: Pick<ReadDocument, 'title' | 'sha256' | 'passages'>;
  vectors?: readonly Float32Array[] | undefined;
};

function toBlob(vector: Float32Array | undefined): Buffer | null {
  return vector === undefined ? null : Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
}

function removedMeanwhile(): Failure {
  return new Failure('not_found', 'The collection was removed in the meantime.', { param: 'collection' });
}

/** Random, so that work still running on a removed collection never reaches the next one with its number. */
const ID_MAX = 2 ** 48 - 1;

const INSERT_COLLECTION = 'INSERT INTO collections(id, name, created_at, updated_at)';

const COLLECTIONS = `
  SELECT collections.id, name, embedder, version, updated_at AS updatedAt,
    count(documents.id) AS documents, coalesce(sum(bytes), 0) AS bytes,
    (SELECT count(*) FROM passages JOIN documents AS d ON d.id = document_id WHERE d.collection_id = collections.id) AS passages
  FROM collections LEFT JOIN documents ON collection_id = collections.id`;

const LIST = `${COLLECTIONS}
  WHERE NOT EXISTS (SELECT 1 FROM vector_stores WHERE vector_stores.collection_id = collections.id)
  GROUP BY collections.id ORDER BY name`;

const GET = `${COLLECTIONS} WHERE collections.id = ? GROUP BY collections.id`;

const BARE_PASSAGES = `
  SELECT passages.id, title, heading, text FROM passages JOIN documents ON documents.id = document_id
  WHERE collection_id = ? AND vector IS NULL LIMIT ?`;

const DOCUMENTS_BELOW = `
  SELECT id, path, bytes, modified_ms AS modifiedMs, sha256 FROM documents WHERE collection_id = ? AND root = ?`;

const INSERT_DOCUMENT = `
  INSERT INTO documents(collection_id, root, path, title, bytes, modified_ms, sha256, indexed_at)
  VALUES(@collectionId, @root, @path, @title, @bytes, @modifiedMs, @sha256, @now)`;

const INSERT_PASSAGE = `
  INSERT INTO passages(document_id, place, heading, page, text, vector)
  VALUES(@documentId, @place, @heading, @page, @text, @vector)`;

const FORGET_VECTORS = `
  UPDATE passages SET vector = NULL WHERE document_id IN (SELECT id FROM documents WHERE collection_id = ?)`;

const WITHOUT_VECTOR = `
  SELECT 1 FROM passages JOIN documents ON documents.id = document_id
  WHERE collection_id = ? AND vector IS NULL LIMIT 1`;

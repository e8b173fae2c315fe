import type { Collections } from '../tools/docs/collections.ts';
import type { PassageSize } from '../tools/extract/passages.ts';
import type { Clock } from '../../base/clock.ts';
import { Failure } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { Store } from '../../store/store.ts';
import type { Attributes } from './attributes.ts';
import type { VectorStore } from './stores.ts';

export const FILE_STATUSES = ['in_progress', 'completed', 'cancelled', 'failed'] as const;
export type FileStatus = (typeof FILE_STATUSES)[number];
export type FileError = { code: 'server_error' | 'unsupported_file' | 'invalid_file'; message: string };

export type StoreFile = {
  storeId: string;
  fileId: string;
  /** Of the uploaded file. */
  name: string;
  status: FileStatus;
  error: FileError | null;
  attributes: Attributes;
  /** As the client chose it; null for the default. */
  chunks: PassageSize | null;
  createdAt: number;
};

export type NewStoreFile = { fileId: string; attributes?: Attributes; chunks?: PassageSize };
export type Batch = { id: string; isCancelled: boolean; createdAt: number };
export type FileCounts = Record<FileStatus | 'total', number>;

type Row = Omit<StoreFile, 'error' | 'attributes' | 'chunks'> & {
  error: string | null;
  attributes: string;
  chunks: string | null;
};

const FILES_MAX = 10_000;

export type StoreFiles = ReturnType<typeof createStoreFiles>;

type Parts = { store: Store; clock: Clock; collections: Collections };

/** The files of vector stores. A row in progress waits to be indexed, even after a restart. */
export function createStoreFiles({ store, clock, collections }: Parts) {
  /** A file that is already there is indexed again. */
  function add({ id: storeId, collectionId }: VectorStore, files: readonly NewStoreFile[], batchId?: string) {
    store.transaction(() => {
      for (const { fileId, attributes = {}, chunks } of files) {
        removePassages(collectionId, fileId);
        const row = { storeId, fileId, batchId: batchId ?? null, attributes: JSON.stringify(attributes) };
        const size = chunks === undefined ? null : JSON.stringify(chunks);
        store.prepare(INSERT).run({ ...row, chunks: size, now: clock.now() });
      }
      if (counts(storeId).total > FILES_MAX)
        throw new Failure('invalid_value', `A vector store can have at most ${FILES_MAX} files.`);
    });
  }

  function removePassages(collectionId: number, fileId: string): void {
    const document = collections.documentAt(collectionId, fileId);
    if (document) collections.removeDocuments(collectionId, [document.id]);
  }

  function find({ id }: VectorStore, fileId: string, param = 'file_id'): StoreFile {
    const row = store.prepare<Row>(FIND).get(id, fileId);
    if (row) return toFile(row);
    throw new Failure('not_found', `The vector store has no file "${fileId}".`, { param });
  }

  function counts(storeId: string, batchId?: string): FileCounts {
    const none = { in_progress: 0, completed: 0, cancelled: 0, failed: 0, total: 0 };
    const rows = store
      .prepare<{ status: FileStatus; count: number }>(COUNTS)
      .all({ storeId, batchId: batchId ?? null });
    for (const { status, count } of rows) {
      none[status] = count;
      none.total += count;
    }
    return none;
  }

  /** Whether it was still waiting: by now it may be gone, cancelled, or added again. */
  function settle({ storeId, fileId, createdAt }: StoreFile, status: FileStatus, error?: FileError): boolean {
    const text = error ? JSON.stringify(error) : null;
    return (
      store.relaxedTransaction(() => store.prepare(SETTLE).run({ status, text, storeId, fileId, createdAt }))
        .changes > 0
    );
  }

  return {
    add,
    find,
    counts,
    settle,
    removePassages,
    /** Oldest first. */
    list: ({ id }: VectorStore, batchId?: string): StoreFile[] =>
      store
        .prepare<Row>(LIST)
        .all({ storeId: id, batchId: batchId ?? null })
        .map(toFile),
    next(): (StoreFile & { collectionId: number; accountId: string; keyId: string | null }) | undefined {
      const row = store
        .prepare<Row & { collectionId: number; accountId: string; keyId: string | null }>(NEXT)
        .get();
      return row && { ...row, ...toFile(row) };
    },
    setAttributes: ({ storeId, fileId }: StoreFile, attributes: Attributes): void =>
      store.transaction(() => {
        store
          .prepare('UPDATE vector_store_files SET attributes = ? WHERE store_id = ? AND file_id = ?')
          .run(JSON.stringify(attributes), storeId, fileId);
      }),
    remove: (vectorStore: VectorStore, fileId: string): void =>
      store.transaction(() => {
        removePassages(vectorStore.collectionId, fileId);
        store
          .prepare('DELETE FROM vector_store_files WHERE store_id = ? AND file_id = ?')
          .run(vectorStore.id, fileId);
      }),
    /** Its passages in all stores; the rows are deleted with the file's. */
    forget(fileId: string): void {
      const rows = store.prepare<{ collectionId: number }>(COLLECTIONS_OF).all(fileId);
      for (const { collectionId } of rows) removePassages(collectionId, fileId);
    },
    batches: {
      create({ id: storeId }: VectorStore): string {
        const id = newId('vsfb', clock.now());
        store.prepare(INSERT_BATCH).run(id, storeId, clock.now());
        return id;
      },
      find({ id: storeId }: VectorStore, id: string): Batch {
        const row = store
          .prepare<{ id: string; isCancelled: number; createdAt: number }>(FIND_BATCH)
          .get(storeId, id);
        if (row) return { ...row, isCancelled: row.isCancelled === 1 };
        throw new Failure('not_found', `The vector store has no batch "${id}".`, { param: 'batch_id' });
      },
      /** Files that are indexed already stay. */
      cancel: (id: string): void =>
        store.transaction(() => {
          store.prepare(CANCEL_FILES).run(id);
          store.prepare('UPDATE vector_store_batches SET is_cancelled = 1 WHERE id = ?').run(id);
        }),
    },
  };
}

function toFile({ storeId, fileId, name, status, error, attributes, chunks, createdAt }: Row): StoreFile {
  return {
    ...{ storeId, fileId, name, status, createdAt },
    error: error === null ? null : (JSON.parse(error) as FileError),
    attributes: JSON.parse(attributes) as Attributes,
    chunks: chunks === null ? null : (JSON.parse(chunks) as PassageSize),
  };
}

const INSERT = `
  INSERT INTO vector_store_files(store_id, file_id, batch_id, status, attributes, chunks, created_at)
  VALUES(@storeId, @fileId, @batchId, 'in_progress', @attributes, @chunks, @now)
  ON CONFLICT DO UPDATE SET batch_id = excluded.batch_id, status = 'in_progress', error = NULL,
    attributes = excluded.attributes, chunks = excluded.chunks, created_at = excluded.created_at`;

const FILES = `
  SELECT store_id AS storeId, file_id AS fileId, files.name, vector_store_files.status,
    vector_store_files.error, attributes, chunks, vector_store_files.created_at AS createdAt`;

const FROM = 'FROM vector_store_files JOIN files ON files.id = file_id';

const FIND = `${FILES} ${FROM} WHERE store_id = ? AND file_id = ?`;

const LIST = `${FILES} ${FROM}
  WHERE store_id = @storeId AND (@batchId IS NULL OR batch_id = @batchId)
  ORDER BY vector_store_files.created_at, file_id`;

const NEXT = `${FILES}, collection_id AS collectionId, vector_stores.account_id AS accountId,
    vector_stores.key_id AS keyId
  ${FROM} JOIN vector_stores ON vector_stores.id = store_id
  WHERE status = 'in_progress' ORDER BY vector_store_files.created_at LIMIT 1`;

const COUNTS = `
  SELECT status, count(*) AS count FROM vector_store_files
  WHERE store_id = @storeId AND (@batchId IS NULL OR batch_id = @batchId) GROUP BY status`;

const SETTLE = `
  UPDATE vector_store_files SET status = @status, error = @text
  WHERE store_id = @storeId AND file_id = @fileId AND status = 'in_progress' AND created_at = @createdAt`;

const COLLECTIONS_OF = `
  SELECT collection_id AS collectionId FROM vector_store_files
  JOIN vector_stores ON vector_stores.id = store_id WHERE file_id = ?`;

const INSERT_BATCH = 'INSERT INTO vector_store_batches(id, store_id, created_at) VALUES(?, ?, ?)';

const FIND_BATCH = `
  SELECT id, is_cancelled AS isCancelled, created_at AS createdAt FROM vector_store_batches
  WHERE store_id = ? AND id = ?`;

const CANCEL_FILES = `
  UPDATE vector_store_files SET status = 'cancelled' WHERE batch_id = ? AND status = 'in_progress'`;

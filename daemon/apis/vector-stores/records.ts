import type { VectorStoreBatch, VectorStoreFile } from '../../../src/api/tasks/vector-store-files.ts';
import type { ChunkingStrategy, VectorStore } from '../../../src/api/tasks/vector-stores.ts';
import type { PassageSize } from '../../../src/agent/tools/extract/passages.ts';
import type { FileOwner, Files } from '../../../src/responses/files.ts';
import type { Attributes } from '../../../src/agent/vector-stores/attributes.ts';
import type { Batch, NewStoreFile, StoreFile } from '../../../src/agent/vector-stores/store-files.ts';
import type { VectorStore as Stored } from '../../../src/agent/vector-stores/stores.ts';
import type { VectorStores } from '../../../src/agent/vector-stores/vector-stores.ts';
import { invalid, required } from '../../http/required.ts';

const CHARACTERS_PER_TOKEN = 4;

const seconds = (ms: number) => Math.floor(ms / 1000);

export function toVectorStore(stores: VectorStores, store: Stored): VectorStore {
  const { id, name, metadata, createdAt, lastActiveAt, expiresAfterDays } = store;
  const counts = stores.files.counts(id);
  const expiresAt = stores.expiresAt(store);
  return {
    id,
    object: 'vector_store',
    created_at: seconds(createdAt),
    name,
    usage_bytes: stores.collectionOf(store).bytes,
    file_counts: counts,
    status: counts.in_progress > 0 ? 'in_progress' : 'completed',
    ...(expiresAfterDays !== null && {
      expires_after: { anchor: 'last_active_at' as const, days: expiresAfterDays },
    }),
    expires_at: expiresAt === null ? null : seconds(expiresAt),
    last_active_at: seconds(lastActiveAt),
    metadata,
  };
}

export function toStoreFile(stores: VectorStores, store: Stored, file: StoreFile): VectorStoreFile {
  const { fileId, status, error, attributes, chunks, createdAt } = file;
  return {
    id: fileId,
    object: 'vector_store.file',
    created_at: seconds(createdAt),
    vector_store_id: store.id,
    status,
    usage_bytes: stores.bytesOf(store.collectionId, fileId),
    last_error: error,
    attributes,
    chunking_strategy: chunks === null ? { type: 'other' } : { type: 'static', static: toTokens(chunks) },
  };
}

export function toBatch(stores: VectorStores, store: Stored, batch: Batch): VectorStoreBatch {
  const counts = stores.files.counts(store.id, batch.id);
  const ended = batch.isCancelled ? 'cancelled' : 'completed';
  return {
    id: batch.id,
    object: 'vector_store.files_batch',
    created_at: seconds(batch.createdAt),
    vector_store_id: store.id,
    status: counts.in_progress > 0 ? 'in_progress' : ended,
    file_counts: counts,
  };
}

type Asked = {
  ids: readonly string[];
  principal: FileOwner;
  param: string;
  attributes?: Attributes | undefined;
  strategy?: ChunkingStrategy | undefined;
};

/** Only files of the same key can be added. */
export function toNewFiles(
  files: Pick<Files, 'find'>,
  { ids, principal, param, attributes, strategy }: Asked,
): NewStoreFile[] {
  const chunks = toPassageSize(strategy);
  return ids.map((id, place) => {
    files.find(id, principal, ids.length > 1 ? `${param}[${place}]` : param);
    return { fileId: id, ...(attributes && { attributes }), ...(chunks && { chunks }) };
  });
}

function toPassageSize(strategy: ChunkingStrategy | undefined): PassageSize | undefined {
  if (strategy?.type !== 'static') return undefined;
  const chosen = required(strategy.static, 'chunking_strategy.static');
  const { max_chunk_size_tokens: tokens, chunk_overlap_tokens: overlap } = chosen;
  if (overlap > tokens / 2)
    throw invalid(
      'chunking_strategy.static.chunk_overlap_tokens',
      'Chunks may overlap by at most half of their size.',
    );
  return { characters: tokens * CHARACTERS_PER_TOKEN, overlap: overlap * CHARACTERS_PER_TOKEN };
}

function toTokens({ characters, overlap }: PassageSize) {
  return {
    max_chunk_size_tokens: characters / CHARACTERS_PER_TOKEN,
    chunk_overlap_tokens: overlap / CHARACTERS_PER_TOKEN,
  };
}

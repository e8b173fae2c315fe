import type { Embedder } from '../reading/embedder.ts';
import type { Docs } from '../tools/docs.ts';
import type { Extractor } from '../tools/extract.ts';
import type { Clock } from '../../base/clock.ts';
import type { Files } from '../../responses/files.ts';
import type { Log } from '../../log/log.ts';
import type { Store } from '../../store/store.ts';
import { createIndexing } from './index-files.ts';
import { createFileSearch } from './search-files.ts';
import { createStoreFiles } from './store-files.ts';
import { createStores } from './stores.ts';

export type VectorStores = ReturnType<typeof createVectorStores>;

type Parts = {
  store: Store;
  clock: Clock;
  log: Log;
  files: Pick<Files, 'read' | 'sizeOf'>;
  index: Docs['index'];
  extractor: Extractor;
  embedder: Embedder;
  stopping: AbortSignal;
};

/** Uploaded files that can be searched, in the same index as the owner's documents. */
export function createVectorStores({ index: { collections, passages }, ...parts }: Parts) {
  const rows = { ...parts, collections };
  const stores = createStores(rows);
  const storeFiles = createStoreFiles(rows);
  const { wake, close } = createIndexing({ ...rows, storeFiles });
  return {
    ...stores,
    files: storeFiles,
    wake,
    close,
    textsOf(collectionId: number, fileId: string): string[] {
      const document = collections.documentAt(collectionId, fileId);
      return document ? collections.textsOf(document.id) : [];
    },
    bytesOf: (collectionId: number, fileId: string): number =>
      collections.documentAt(collectionId, fileId)?.bytes ?? 0,
    ...createFileSearch({ ...rows, passages, stores, storeFiles }),
  };
}

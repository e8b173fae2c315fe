import type { Embedder } from '../reading/embedder.ts';
import type { Collection, Collections } from '../tools/docs/collections.ts';
import { ExtractError, type Extractor } from '../tools/extract.ts';
import { kindOfFile } from '../tools/extract/file-kind.ts';
import type { ReadDocument } from '../tools/extract/read-document.ts';
import { Failure } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { Files } from '../../responses/files.ts';
import type { Log } from '../../log/log.ts';
import type { FileError, StoreFile, StoreFiles } from './store-files.ts';

const BYTES_MAX = 20 * 1024 * 1024;
const READ_MS_MAX = 60_000;
const EMBEDDED_AT_ONCE = 32;
const HEAD_BYTES = 4096;

type Parts = {
  files: Pick<Files, 'read' | 'sizeOf'>;
  storeFiles: StoreFiles;
  collections: Collections;
  extractor: Extractor;
  embedder: Embedder;
  log: Log;
  stopping: AbortSignal;
};

type Waiting = NonNullable<ReturnType<StoreFiles['next']>>;

/** Why a file cannot be indexed, in words for its client. */
class Unusable extends Error {
  readonly code: FileError['code'];

  constructor(code: FileError['code'], message: string) {
    super(message);
    this.name = 'Unusable';
    this.code = code;
  }
}

/** Indexes waiting files one after another, in the background. The next start continues what a stop interrupted. */
export function createIndexing(parts: Parts) {
  const { storeFiles, collections, extractor, embedder, log, stopping } = parts;
  let isAsked = false;
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (isAsked && !stopping.aborted) {
      isAsked = false;
      for (let next = storeFiles.next(); next && !stopping.aborted; next = storeFiles.next())
        await index(next);
    }
  }

  function wake(): void {
    isAsked = true;
    running ??= run()
      .catch((error: unknown) => log.error({ err: error }, 'indexing files failed'))
      .finally(() => {
        running = undefined;
        if (isAsked && !stopping.aborted) wake();
      });
  }

  async function index(file: Waiting): Promise<void> {
    try {
      const document = await read(file);
      const collection = refreshed(file.collectionId);
      const place = { path: file.fileId, bytes: document.bytes, modifiedMs: file.createdAt };
      collections.put({ collection, root: 'files', file: place, document });
      await embedBare(collection, file);
      if (!storeFiles.settle(file, 'completed')) storeFiles.removePassages(file.collectionId, file.fileId);
    } catch (error) {
      if (stopping.aborted) return;
      const reason = reasonOf(error);
      storeFiles.removePassages(file.collectionId, file.fileId);
      const isWaiting = storeFiles.settle(file, 'failed', reason);
      if (isWaiting && reason.code === 'server_error')
        log.warn({ file_id: file.fileId, err: error }, 'a file could not be indexed');
    }
  }

  async function read({ fileId, name, chunks }: StoreFile): Promise<ReadDocument & { bytes: number }> {
    const kind = kindOfFile(name);
    if (kind === undefined)
      throw new Unusable('unsupported_file', `${name} is not Markdown, text, HTML, PDF or code.`);
    if ((await parts.files.sizeOf(fileId)) > BYTES_MAX)
      throw new Unusable('invalid_file', `${name} is larger than ${BYTES_MAX / 1024 / 1024} MiB. Split it.`);
    const bytes = await parts.files.read(fileId);
    if (kind !== 'pdf' && isBinary(bytes)) throw new Unusable('invalid_file', `${name} is not text.`);
    const source = { bytes, kind, name, ...(chunks && { size: chunks }) };
    const document = await extractor.read(source, { signal: stopping, timeoutMs: READ_MS_MAX });
    if (document.passages.length === 0)
      throw new Unusable('invalid_file', `${name} has no text that can be searched.`);
    return { ...document, bytes: bytes.length };
  }

  /** Vectors of a model other than the current one are dropped, then computed again with the missing ones. */
  function refreshed(collectionId: number): Collection {
    const collection = collections.get(collectionId);
    if (!collection) throw new Error('The vector store was deleted');
    const model = embedder.model();
    if (model !== undefined && collection.embedder !== model) collections.setEmbedder(collection, model);
    return collection;
  }

  async function embedBare({ id }: Collection, { accountId, keyId }: Waiting): Promise<void> {
    if (embedder.model() === undefined) return;
    const context = { requestId: newId('req'), accountId, keyId, client: stopping, daemon: stopping };
    for (;;) {
      const bare = collections.withoutVector(id, EMBEDDED_AT_ONCE);
      if (bare.length === 0) return;
      const texts = bare.map(({ title, heading, text }) => [title, heading, text].filter(Boolean).join('\n'));
      const vectors = await embedder.embed(texts, context);
      collections.setVectors(
        id,
        bare.flatMap((passage, place) => {
          const vector = vectors[place];
          return vector ? [{ id: passage.id, text: passage.text, vector }] : [];
        }),
      );
    }
  }

  return {
    wake,
    /** `stopping` has ended the work that it waits for. */
    close: async (): Promise<void> => running,
  };
}

/** UTF-16 has a byte order mark. */
function isBinary(bytes: Buffer): boolean {
  const hasMark = (bytes[0] === 0xfe && bytes[1] === 0xff) || (bytes[0] === 0xff && bytes[1] === 0xfe);
  return !hasMark && bytes.subarray(0, HEAD_BYTES).includes(0);
}

function reasonOf(error: unknown): FileError {
  if (error instanceof Unusable) return { code: error.code, message: error.message };
  if (error instanceof ExtractError)
    return {
      code: 'invalid_file',
      message: `The file cannot be read: ${error.message.replace(/\.*$/, '')}.`,
    };
  if (error instanceof Failure) return { code: 'server_error', message: error.message };
  return { code: 'server_error', message: 'Indexing the file failed. Add it again.' };
}

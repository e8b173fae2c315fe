import type { Clock } from '../../base/clock.ts';
import { Failure } from '../../base/errors.ts';
import type { Store } from '../../store/store.ts';
import type { Embedder, EmbedderContext } from '../reading/embedder.ts';
import { createCollections, type Collection, type StoredDocument } from './docs/collections.ts';
import { findFiles, type FoundFile } from './docs/files.ts';
import { createPassageSearch, type PassageHit } from './docs/search-passages.ts';
import { createDocumentUploads, obstacleTo, type UploadedFile } from './docs/uploads.ts';
import { ExtractError, type Extractor } from './extract.ts';

const FILE_MS_MAX = 60_000;
const EMBEDDED_AT_ONCE = 32;
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u;

export type DocsEvent =
  | {
      type: 'file';
      path: string;
      status: 'added' | 'changed' | 'unchanged' | 'removed' | 'failed';
      passages?: number;
      reason?: string;
    }
  | { type: 'found'; files: number };

export type DocsSearch = {
  query: string;
  /** All collections when absent. */
  collections?: readonly string[];
  limit: number;
  /** Keyword search only, without vectors. */
  byWords?: boolean;
};

export type Docs = ReturnType<typeof createDocs>;

type Parts = {
  store: Store;
  clock: Clock;
  extractor: Extractor;
  embedder: Embedder;
  /** Where uploaded files are kept. */
  folder: string;
};

/** Local documents: files of this machine, searchable without a network. */
export function createDocs({ store, clock, extractor, embedder, folder }: Parts) {
  const uploads = createDocumentUploads({ folder });
  const collections = createCollections({ store, clock });
  const passages = createPassageSearch({ store });

  /** Indexes new and changed files below a path, and removes deleted ones. */
  async function* add(
    { path, name, keepsGone = false }: { path: string; name: string; keepsGone?: boolean },
    context: EmbedderContext,
  ): AsyncGenerator<DocsEvent> {
    checkName(name);
    const { files, skipped } = await findFiles(path);
    yield { type: 'found', files: files.length };
    for (const each of skipped)
      yield { type: 'file', path: each, status: 'failed', reason: 'larger than 20 MB' };
    const collection = collections.open(name);
    const known = new Map(collections.documentsBelow(collection.id, path).map((each) => [each.path, each]));
    const isFresh = refreshEmbedder(collection);
    for (const file of files) {
      context.client.throwIfAborted();
      const before = known.get(file.path);
      known.delete(file.path);
      yield await index({ collection, root: path, file, before, isFresh }, context);
    }
    if (keepsGone) return;
    collections.removeDocuments(
      collection.id,
      [...known.values()].map(({ id }) => id),
    );
    for (const gone of known.values()) yield { type: 'file', path: gone.path, status: 'removed' };
  }

  /** Keeps copies of files and indexes them. */
  async function* addFiles(
    { files, name }: { files: readonly UploadedFile[]; name: string },
    context: EmbedderContext,
  ): AsyncGenerator<DocsEvent> {
    checkName(name);
    const obstacles = files.map((file) => obstacleTo(file.name));
    const kept = files.filter((_, index) => obstacles[index] === undefined);
    if (kept.length === 0) throw nothingToIndex(files, obstacles);
    for (const file of kept) await uploads.keep(name, file);
    // After a restore, the passages exist but the copies do not.
    yield* add({ path: uploads.folderOf(name), name, keepsGone: true }, context);
    for (const [index, reason] of obstacles.entries())
      if (reason !== undefined)
        yield { type: 'file', path: files[index]?.name ?? '', status: 'failed', reason };
  }

  /** Whether a whole collection lacks vectors of the current model. */
  function refreshEmbedder(collection: Collection): boolean {
    const today = embedder.model() ?? null;
    if (today === null) return false;
    if (today === collection.embedder) return collections.lacksVectors(collection);
    collections.setEmbedder(collection, today);
    return true;
  }

  async function index(
    { collection, root, file, before, isFresh }: Indexing,
    context: EmbedderContext,
  ): Promise<DocsEvent> {
    const { path } = file;
    if (before && !isFresh && before.bytes === file.bytes && before.modifiedMs === file.modifiedMs) {
      return { type: 'file', path, status: 'unchanged' };
    }
    try {
      const document = await extractor.read({ path }, { signal: context.client, timeoutMs: FILE_MS_MAX });
      if (before && !isFresh && before.sha256 === document.sha256) {
        collections.touch(before.id, file);
        return { type: 'file', path, status: 'unchanged' };
      }
      const vectors = await vectorsOf(document.title, document.passages, context);
      collections.put({ collection, root, file, document, vectors });
      const status = before === undefined ? 'added' : 'changed';
      return { type: 'file', path, status, passages: document.passages.length };
    } catch (error) {
      if (error instanceof ExtractError)
        return { type: 'file', path, status: 'failed', reason: error.message };
      throw error;
    }
  }

  async function vectorsOf(
    title: string,
    texts: readonly { heading: string; text: string }[],
    context: EmbedderContext,
  ): Promise<Float32Array[] | undefined> {
    if (embedder.model() === undefined) return undefined;
    const vectors: Float32Array[] = [];
    for (let at = 0; at < texts.length; at += EMBEDDED_AT_ONCE) {
      const batch = texts.slice(at, at + EMBEDDED_AT_ONCE);
      const inputs = batch.map(({ heading, text }) => [title, heading, text].filter(Boolean).join('\n'));
      vectors.push(...(await embedder.embed(inputs, context)));
    }
    return vectors;
  }

  async function search(
    { query, collections: names, limit, byWords = false }: DocsSearch,
    context: EmbedderContext,
  ): Promise<PassageHit[]> {
    const all = collections.list();
    const chosen = names === undefined || names.length === 0 ? all : names.map(collections.find);
    const model = embedder.model();
    const hasVectors = !byWords && model !== undefined && chosen.some((each) => each.embedder === model);
    const [vector] = hasVectors ? await embedder.embed([query], context) : [];
    const meaning = vector && model !== undefined ? { vector, model } : undefined;
    return passages.search({ query, collections: chosen, limit, meaning });
  }

  return {
    add,
    addFiles,
    search,
    index: { collections, passages },
    list: collections.list,
    find: collections.find,
    isEmpty: () => collections.list().every((each) => each.documents === 0),
    /** Copies of uploaded files are deleted with it; all other files stay. */
    remove: async (name: string): Promise<void> => {
      collections.drop(collections.find(name));
      await uploads.drop(name);
    },
  };
}

type Indexing = {
  collection: Collection;
  root: string;
  file: FoundFile;
  before: StoredDocument | undefined;
  isFresh: boolean;
};

function nothingToIndex(files: readonly UploadedFile[], obstacles: readonly (string | undefined)[]): Failure {
  const refused = files.map(({ name }, index) => `${name} is ${obstacles[index]}`);
  const more = refused.length > 3 ? `, and ${refused.length - 3} more` : '';
  return new Failure('invalid_value', `None can be indexed: ${refused.slice(0, 3).join(', ')}${more}.`, {
    param: 'files',
  });
}

function checkName(name: string): void {
  if (NAME.test(name)) return;
  throw new Failure(
    'invalid_value',
    `"${name}" is not a valid collection name. Use up to 64 letters, digits, spaces, dots and dashes.`,
    { param: 'collection' },
  );
}

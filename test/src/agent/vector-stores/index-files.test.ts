import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Embedder } from '../../../../src/agent/reading/embedder.ts';
import { createDocs } from '../../../../src/agent/tools/docs.ts';
import { createExtractor } from '../../../../src/agent/tools/extract.ts';
import { createVectorStores } from '../../../../src/agent/vector-stores/vector-stores.ts';
import { entryFile, homePaths } from '../../../../src/base/paths.ts';
import { openLog } from '../../../../src/log/log.ts';
import { createFiles } from '../../../../src/responses/files.ts';
import { openStore } from '../../../../src/store/store.ts';
import { settableClock } from '../../../helpers/clock.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';

const OWNER = { accountId: 'acct_local', keyId: 'key_one' };
const ANOTHER = { accountId: 'acct_local', keyId: 'key_two' };

/** Real files, tables and parsing; what the test does when vectors are requested happens before they arrive. */
function openVectorStores() {
  const folder = temporaryFolder();
  const clock = settableClock();
  const store = openStore(join(folder, 'askd.db'));
  const { log, close: closeLog } = openLog({ paths: homePaths(folder), level: 'info' });
  const extractor = createExtractor(entryFile('src/agent/tools/extract/extract-worker.js'));
  const stopping = new AbortController();
  let meanwhile = (): unknown => undefined;
  const embedder: Embedder = {
    model: () => 'embedder',
    isLoaded: () => true,
    embed(texts) {
      meanwhile();
      return Promise.resolve(texts.map((text) => Float32Array.of(text.length, 1)));
    },
  };
  const { index } = createDocs({ store, clock, extractor, embedder, folder: join(folder, 'uploaded') });
  const files = createFiles({
    ...{ store, clock, folder: join(folder, 'files'), bytesMax: 1_000_000_000 },
    onRemove: (id) => vectorStores.files.forget(id),
  });
  const read: string[] = [];
  const watched = {
    sizeOf: files.sizeOf,
    read: (id: string) => {
      read.push(id);
      return files.read(id);
    },
  };
  const parts = { store, clock, log, files: watched, index, extractor, embedder };
  const vectorStores = createVectorStores({ ...parts, stopping: stopping.signal });
  onTestFinished(async () => {
    stopping.abort();
    await vectorStores.close();
    await extractor.close();
    store.close();
    await closeLog();
  });
  const upload = async (name: string, text: string): Promise<string> => {
    const path = join(folder, name);
    writeFileSync(path, text);
    const bytes = Buffer.byteLength(text);
    return (await files.add({ owner: OWNER, path, name, purpose: 'assistants', bytes })).id;
  };
  const indexed = (): Promise<void> => {
    vectorStores.wake();
    return vectorStores.close();
  };
  const during = (work: () => unknown): void => {
    meanwhile = () => {
      meanwhile = () => undefined;
      work();
    };
  };
  return { vectorStores, collections: index.collections, upload, read, indexed, during, clock };
}

describe('a vector store that is deleted while its file is indexed', () => {
  test('leaves nothing to the store that is created next', async () => {
    const { vectorStores, collections, upload, indexed, during } = openVectorStores();
    const deleted = vectorStores.create(OWNER, {});
    vectorStores.files.add(deleted, [{ fileId: await upload('safe.md', 'The code is in the clock.') }]);
    const work = indexed();
    vectorStores.remove(deleted);
    const next = vectorStores.create(ANOTHER, {});
    const seen: unknown[] = [];
    during(() => seen.push(collections.get(next.collectionId)?.passages));
    await work;
    expect(seen).toEqual([]);
    expect(collections.get(next.collectionId)).toMatchObject({ documents: 0, passages: 0 });
  });
});

describe('a file that is removed while its vectors are computed', () => {
  test('gives them to no text that is stored in the meantime', async () => {
    const { vectorStores, collections, upload, indexed, during } = openVectorStores();
    const store = vectorStores.create(OWNER, {});
    const fileId = await upload('ships.md', 'Ships sail.');
    vectorStores.files.add(store, [{ fileId }]);
    const others: number[] = [];
    during(() => {
      vectorStores.files.remove(store, fileId);
      const id = collections.create('notes');
      others.push(id);
      const passages = [{ text: 'Bread is baked in the morning.', heading: '' }];
      const document = { title: '', sha256: 'a', passages };
      const file = { path: '/notes/bread.md', bytes: 30, modifiedMs: 1 };
      collections.put({ collection: collections.get(id)!, root: '/notes', file, document });
    });
    await indexed();
    expect(others.map((id) => collections.withoutVector(id, 9).map(({ text }) => text))).toEqual([
      ['Bread is baked in the morning.'],
    ]);
    expect(vectorStores.files.list(store)).toEqual([]);
  });
});

describe('a file that is added again while it is indexed', () => {
  test('is indexed again, as last requested', async () => {
    const { vectorStores, upload, indexed, during, clock } = openVectorStores();
    const store = vectorStores.create(OWNER, {});
    const fileId = await upload('long.md', 'A sentence about soup. '.repeat(60));
    vectorStores.files.add(store, [{ fileId }]);
    during(() => {
      clock.advance(1);
      vectorStores.files.add(store, [{ fileId, chunks: { characters: 100, overlap: 0 } }]);
    });
    await indexed();
    expect(vectorStores.files.find(store, fileId).status).toBe('completed');
    expect(vectorStores.textsOf(store.collectionId, fileId).length).toBeGreaterThan(10);
  });
});

describe('a file that is too large to index', () => {
  test('is refused for its size, without being read', async () => {
    const { vectorStores, upload, indexed, read } = openVectorStores();
    const store = vectorStores.create(OWNER, {});
    const small = await upload('small.md', 'A sentence about soup.');
    const large = await upload('large.md', 'soup '.repeat(5 * 1024 * 1024));
    vectorStores.files.add(store, [{ fileId: large }, { fileId: small }]);
    await indexed();
    expect(vectorStores.files.find(store, large)).toMatchObject({
      status: 'failed',
      error: { code: 'invalid_file', message: 'large.md is larger than 20 MiB. Split it.' },
    });
    expect(vectorStores.files.find(store, small).status).toBe('completed');
    expect(read).toEqual([small]);
  });
});

import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import OpenAI, { toFile } from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Scope } from '../../../../src/access/scopes.ts';
import { collect, openDaemonWith, type ChatDaemon } from '../../../helpers/daemon/chat.ts';

const MINUTE = 60_000;

let daemon: ChatDaemon;
let openai: OpenAI;

beforeAll(async () => {
  daemon = await openDaemonWith({});
  openai = daemon.sdk;
}, MINUTE);
afterAll(() => daemon.close());

const upload = async (name: string, text: string | Buffer) =>
  openai.files.create({ file: await toFile(Buffer.from(text), name), purpose: 'assistants' });

const storeWith = async (files: Record<string, string>, attributes: Record<string, object> = {}) => {
  const store = await openai.vectorStores.create({ name: 'notes' });
  const ids: Record<string, string> = {};
  for (const [name, text] of Object.entries(files)) {
    const { id } = await upload(name, text);
    ids[name] = id;
    const options = {
      file_id: id,
      ...(attributes[name] && { attributes: attributes[name] as Record<string, string> }),
    };
    const added = await openai.vectorStores.files.createAndPoll(store.id, options, { pollIntervalMs: 20 });
    expect([added.status, added.last_error]).toEqual(['completed', null]);
  }
  return { id: store.id, ids };
};

const passagesIn = (id: string) =>
  daemon.services.store
    .prepare<{ count: number }>(
      'SELECT count(*) AS count FROM passages JOIN documents ON documents.id = document_id JOIN collections ON collections.id = collection_id WHERE name = ?',
    )
    .get(id)?.count;

const keyWith = (scopes: Scope[]) => {
  const { key } = daemon.services.keys.create({
    ...{ accountId: 'acct_local', name: 'another', scopes, expiresAt: null },
  });
  return new OpenAI({ apiKey: key, baseURL: daemon.baseURL, maxRetries: 0 });
};

const statusOf = async (work: Promise<unknown>) =>
  work.then(
    () => 200,
    (error: unknown) => (error as { status: number }).status,
  );

describe('the calls of the openai package', { timeout: 2 * MINUTE }, () => {
  test('upload, list, read and delete files', async () => {
    const file = await upload('a note.md', '# Soup\n\nBoil it.\n');
    expect(file).toMatchObject({ object: 'file', filename: 'a note.md', bytes: 17, status: 'processed' });
    expect(await openai.files.retrieve(file.id)).toEqual(file);
    expect(await (await openai.files.content(file.id)).text()).toBe('# Soup\n\nBoil it.\n');
    const batch = await openai.files.create({
      file: await toFile(Buffer.from('{}\n'), 'jobs.jsonl'),
      purpose: 'batch',
      expires_after: { anchor: 'created_at', seconds: 3600 },
    });
    expect(batch.expires_at).toBe(batch.created_at + 3600);
    const listed = await collect(openai.files.list({ purpose: 'batch' }));
    expect(listed.map(({ id }) => id)).toEqual([batch.id]);
    const first = await openai.files.list({ limit: 1, order: 'asc' });
    expect([first.data.length, first.has_more]).toEqual([1, true]);
    expect(await openai.files.delete(file.id)).toEqual({ id: file.id, object: 'file', deleted: true });
    expect(await statusOf(openai.files.retrieve(file.id))).toBe(404);
    await openai.files.delete(batch.id);
    expect(readdirSync(join(daemon.home, 'files'))).toEqual([]);
  });

  test('create a store, fill it, search it and delete it', async () => {
    const store = await openai.vectorStores.create({
      name: 'kitchen',
      metadata: { team: 'a' },
      expires_after: { anchor: 'last_active_at', days: 2 },
    });
    expect(store).toMatchObject({ object: 'vector_store', status: 'completed', metadata: { team: 'a' } });
    expect(store.expires_at).toBe((store.last_active_at ?? 0) + 2 * 86_400);
    const file = await toFile(Buffer.from('The soup boils for ninety minutes.'), 'soup.md');
    const added = await openai.vectorStores.files.uploadAndPoll(store.id, file, { pollIntervalMs: 20 });
    expect(added).toMatchObject({ status: 'completed', last_error: null, usage_bytes: 34 });
    const [content] = await collect(
      await openai.vectorStores.files.content(added.id, { vector_store_id: store.id }),
    );
    expect(content).toEqual({ type: 'text', text: 'The soup boils for ninety minutes.' });
    const hits = await collect(openai.vectorStores.search(store.id, { query: 'how long does soup boil?' }));
    expect(hits).toMatchObject([
      { file_id: added.id, filename: 'soup.md', content: [{ text: 'The soup boils for ninety minutes.' }] },
    ]);
    expect(hits[0]?.score).toBeGreaterThan(0.9);
    const renamed = await openai.vectorStores.update(store.id, { name: 'cellar', expires_after: null });
    expect(renamed).toMatchObject({ name: 'cellar', expires_at: null, metadata: { team: 'a' } });
    expect(renamed.file_counts).toMatchObject({ completed: 1, total: 1 });
    expect((await collect(openai.vectorStores.list())).map(({ id }) => id)).toContain(store.id);
    expect(await openai.vectorStores.delete(store.id)).toMatchObject({ deleted: true });
    expect(await statusOf(openai.vectorStores.retrieve(store.id))).toBe(404);
    expect([await statusOf(openai.files.retrieve(added.id)), passagesIn(store.id)]).toEqual([200, 0]);
  });

  test('filter by attributes, which can be changed', async () => {
    const { id, ids } = await storeWith(
      { 'old.md': 'The bread was baked at dawn.', 'new.md': 'The bread was baked at noon.' },
      { 'old.md': { year: 1990 }, 'new.md': { year: 2024 } },
    );
    const find = async (filters: OpenAI.ComparisonFilter) => {
      const hits = await collect(openai.vectorStores.search(id, { query: 'bread baked', filters }));
      return hits.map(({ filename }) => filename).sort();
    };
    expect(await find({ type: 'gt', key: 'year', value: 2000 })).toEqual(['new.md']);
    expect(await find({ type: 'ne', key: 'year', value: 3000 })).toEqual(['new.md', 'old.md']);
    await openai.vectorStores.files.update(ids['old.md']!, {
      vector_store_id: id,
      attributes: { year: 2025 },
    });
    expect(await find({ type: 'gt', key: 'year', value: 2000 })).toEqual(['new.md', 'old.md']);
    expect(await statusOf(find({ type: 'eq', key: 'year' } as never))).toBe(400);
  });

  test('add files in batches, some of which cannot be read', async () => {
    const store = await openai.vectorStores.create({});
    const files = [
      await toFile(Buffer.from('Trains leave at nine.'), 'trains.txt'),
      await toFile(Buffer.from('MZ\0\0'), 'tool.exe'),
      await toFile(Buffer.from('text\0with a zero'), 'torn.txt'),
      await toFile(Buffer.from('%PDF-1.7 and nothing more'), 'torn.pdf'),
      await toFile(Buffer.from('   \n'), 'blank.md'),
    ];
    const batch = await openai.vectorStores.fileBatches.uploadAndPoll(
      store.id,
      { files },
      { pollIntervalMs: 20 },
    );
    expect(batch).toMatchObject({ status: 'completed', file_counts: { completed: 1, failed: 4, total: 5 } });
    const failed = await collect(
      openai.vectorStores.fileBatches.listFiles(batch.id, { vector_store_id: store.id, filter: 'failed' }),
    );
    const names = new Map((await collect(openai.files.list())).map(({ id, filename }) => [id, filename]));
    const reasons = failed.map(
      ({ id, last_error: error }) => `${names.get(id)} ${error?.code} ${error?.message}`,
    );
    expect(reasons.sort()).toEqual([
      'blank.md invalid_file blank.md has no text that can be searched.',
      'tool.exe unsupported_file tool.exe is not Markdown, text, HTML, PDF or code.',
      expect.stringMatching(/^torn\.pdf invalid_file The file cannot be read: /),
      'torn.txt invalid_file torn.txt is not text.',
    ]);
    expect(passagesIn(store.id)).toBe(1);
  });

  test('split files as requested', async () => {
    const text = Array.from({ length: 200 }, (_, at) => `Sentence number ${at} is about soup.`).join(' ');
    const { id: fileId } = await upload('long.md', text);
    const store = await openai.vectorStores.create({});
    const size = { max_chunk_size_tokens: 100, chunk_overlap_tokens: 0 };
    const options = { file_id: fileId, chunking_strategy: { type: 'static' as const, static: size } };
    const added = await openai.vectorStores.files.createAndPoll(store.id, options, { pollIntervalMs: 20 });
    expect(added.chunking_strategy).toEqual({ type: 'static', static: size });
    const pieces = await collect(
      await openai.vectorStores.files.content(fileId, { vector_store_id: store.id }),
    );
    expect(pieces.length).toBeGreaterThan(15);
    expect(Math.max(...pieces.map((piece) => (piece.text ?? '').length))).toBeLessThanOrEqual(400);
    const tooMuch = { max_chunk_size_tokens: 100, chunk_overlap_tokens: 60 };
    const wrong = { file_id: fileId, chunking_strategy: { type: 'static' as const, static: tooMuch } };
    expect(await statusOf(openai.vectorStores.files.create(store.id, wrong))).toBe(400);
  });
});

describe('what a key owns', { timeout: 2 * MINUTE }, () => {
  test('is hidden from another key, and visible to the owner', async () => {
    const { id, ids } = await storeWith({ 'secret.md': 'The code of the safe is in the clock.' });
    const fileId = ids['secret.md']!;
    const other = keyWith(['chat', 'read']);
    const own = await other.vectorStores.create({});
    const attempts = [
      other.files.retrieve(fileId),
      other.files.content(fileId),
      other.files.delete(fileId),
      other.vectorStores.retrieve(id),
      other.vectorStores.update(id, { name: 'mine' }),
      other.vectorStores.delete(id),
      other.vectorStores.search(id, { query: 'code of the safe' }),
      other.vectorStores.files.list(id),
      other.vectorStores.files.retrieve(fileId, { vector_store_id: id }),
      other.vectorStores.files.content(fileId, { vector_store_id: id }),
      other.vectorStores.files.delete(fileId, { vector_store_id: id }),
      other.vectorStores.files.create(own.id, { file_id: fileId }),
      other.vectorStores.create({ file_ids: [fileId] }),
      other.vectorStores.fileBatches.create(id, { file_ids: [fileId] }),
      other.vectorStores.fileBatches.create(own.id, { file_ids: [fileId] }),
    ];
    expect(await Promise.all(attempts.map(statusOf))).toEqual(attempts.map(() => 404));
    expect((await collect(other.files.list())).length).toBe(0);
    expect((await collect(other.vectorStores.list())).map((each) => each.id)).toEqual([own.id]);
    const searched = await other.vectorStores.search(own.id, { query: 'code of the safe' });
    expect(searched.data).toEqual([]);
    expect((await daemon.call('GET', `/v1/vector_stores/${id}`)).status).toBe(200);
  });

  test('is in no list of collections, and no search over all of them', async () => {
    await storeWith({ 'hidden.md': 'The zeppelin lands on Thursday.' });
    const listed = (await daemon.call('GET', '/api/daemon/docs')).json<{ data: { name: string }[] }>();
    expect(listed.data.map(({ name }) => name)).toEqual([]);
    const found = await daemon.call('POST', '/api/daemon/docs/search', { body: { query: 'zeppelin' } });
    expect(found.json()).toEqual({ data: [] });
  });

  test("can be searched along with the owner's collections, by name, with the scope admin", async () => {
    const folder = join(daemon.home, 'wiki');
    mkdirSync(folder);
    writeFileSync(join(folder, 'ferry.md'), 'The ferry crosses at noon.\n');
    await daemon.call('POST', '/api/daemon/docs', { body: { path: folder, collection: 'wiki' } });
    const owner = keyWith(['chat', 'admin']);
    const hits = await owner.vectorStores.search('wiki', { query: 'when does the ferry cross' });
    expect(hits.data).toMatchObject([
      { filename: 'ferry.md', file_id: expect.stringMatching(/^doc_\d+$/) as string },
    ]);
    const app = keyWith(['chat', 'read', 'write']);
    expect(await statusOf(app.vectorStores.search('wiki', { query: 'ferry' }))).toBe(404);
    const asked = app.responses.create({
      model: 'svc-chat-v1',
      input: 'When does the ferry cross?',
      tools: [{ type: 'file_search', vector_store_ids: ['wiki'] }],
    });
    expect(await statusOf(asked)).toBe(404);
    await daemon.call('DELETE', '/api/daemon/docs/wiki');
  });
});

describe('what is deleted', { timeout: 2 * MINUTE }, () => {
  test('with its file is removed from all stores', async () => {
    const { id, ids } = await storeWith({ 'one.md': 'Lighthouses blink.' });
    const second = await openai.vectorStores.create({});
    const fileId = ids['one.md']!;
    await openai.vectorStores.files.createAndPoll(second.id, { file_id: fileId }, { pollIntervalMs: 20 });
    expect([passagesIn(id), passagesIn(second.id)]).toEqual([1, 1]);
    await openai.files.delete(fileId);
    expect([passagesIn(id), passagesIn(second.id)]).toEqual([0, 0]);
    expect((await openai.vectorStores.search(id, { query: 'lighthouses blink' })).data).toEqual([]);
    expect((await openai.vectorStores.retrieve(id)).file_counts.total).toBe(0);
    expect(existsSync(join(daemon.home, 'files', fileId))).toBe(false);
  });

  test('from one store stays in the other, and stays a file', async () => {
    const { id, ids } = await storeWith({ 'two.md': 'Windmills turn.' });
    const fileId = ids['two.md']!;
    await openai.vectorStores.files.delete(fileId, { vector_store_id: id });
    expect([passagesIn(id), await statusOf(openai.files.retrieve(fileId))]).toEqual([0, 200]);
  });
});

import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { onTestFinished, describe, expect, test } from 'vitest';
import type { Embedder, EmbedderContext } from '../../../../src/agent/reading/embedder.ts';
import { createDocs, type DocsEvent } from '../../../../src/agent/tools/docs.ts';
import { createExtractor } from '../../../../src/agent/tools/extract.ts';
import { entryFile } from '../../../../src/base/paths.ts';
import { openStore } from '../../../../src/store/store.ts';
import { settableClock } from '../../../helpers/clock.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';

const context = { client: new AbortController().signal } as EmbedderContext;

/** A text's vector says which of a few topics it is about, whatever words it uses. */
const THINGS = [/ship|vessel|boat/i, /bread|loaf|bakery/i, /bridge|span/i];
const meaningOf = (text: string) => Float32Array.from(THINGS.map((thing) => Number(thing.test(text))));

function openDocs() {
  const folder = temporaryFolder();
  const store = openStore(join(folder, 'askd.db'));
  const extractor = createExtractor(entryFile('src/agent/tools/extract/extract-worker.js'));
  let model: string | undefined;
  let asked = 0;
  const embedder: Embedder = {
    model: () => model,
    isLoaded: () => true,
    embed(texts) {
      asked += texts.length;
      return Promise.resolve(texts.map(meaningOf));
    },
  };
  const docs = createDocs({
    store,
    clock: settableClock(),
    extractor,
    embedder,
    folder: join(folder, 'uploaded'),
  });
  onTestFinished(async () => {
    await extractor.close();
    store.close();
  });
  const root = join(folder, 'notes');
  mkdirSync(root);
  let seconds = 1_700_000_000;
  return {
    docs,
    use: (name: string | undefined) => void (model = name),
    asked: () => asked,
    /** Each write is later than the one before, as with a real clock. */
    write: (name: string, text: string): void => {
      const file = join(root, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      utimesSync(file, (seconds += 1), seconds);
    },
    remove: (name: string) => rmSync(join(root, name)),
    adding: () => docs.add({ path: root, name: 'notes' }, context),
    add: async (): Promise<Record<string, string>> => {
      const events: DocsEvent[] = [];
      for await (const event of docs.add({ path: root, name: 'notes' }, context)) events.push(event);
      const files = events.flatMap((event) => (event.type === 'file' ? [event] : []));
      return Object.fromEntries(files.map(({ path, status }) => [path.slice(root.length + 1), status]));
    },
    find: async (query: string): Promise<string[]> => {
      const hits = await docs.search({ query, collections: ['notes'], limit: 5 }, context);
      return hits.map(({ path }) => path.slice(root.length + 1));
    },
  };
}

describe('a collection that is removed while its folder is read', () => {
  test('ends the reading, and nothing gets into the collection that is created next', async () => {
    const { docs, write, adding } = openDocs();
    write('first.md', 'Ships sail.');
    write('second.md', 'Bread is baked.');
    const events = adding();
    await events.next();
    expect((await events.next()).value).toMatchObject({ status: 'added' });
    await docs.remove('notes');
    const { collections } = docs.index;
    const next = collections.create('another');
    await expect(events.next()).rejects.toMatchObject({ code: 'not_found' });
    expect(collections.get(next)).toMatchObject({ documents: 0, passages: 0 });
  });
});

describe('a folder that is added again', () => {
  test('is read only where it changed, and removed texts are no longer found', async () => {
    const { add, find, write, remove } = openDocs();
    write('ships.md', '# Ships\n\nThe Alda sailed from Norhaven.');
    write('deep/bread.txt', 'The bakery opens at six.');
    write('gone.md', 'The old lighthouse burnt down.');
    expect(await add()).toEqual({ 'ships.md': 'added', 'deep/bread.txt': 'added', 'gone.md': 'added' });
    expect(await find('lighthouse')).toEqual(['gone.md']);

    write('ships.md', '# Ships\n\nThe Berit sailed from Norhaven.');
    remove('gone.md');
    expect(await add()).toEqual({
      'ships.md': 'changed',
      'deep/bread.txt': 'unchanged',
      'gone.md': 'removed',
    });
    expect([await find('Alda'), await find('Berit'), await find('lighthouse')]).toEqual([
      [],
      ['ships.md'],
      [],
    ]);
  });

  test('is not read again for a file that was only touched', async () => {
    const { add, write } = openDocs();
    write('same.md', 'The same words.');
    await add();
    write('same.md', 'The same words.');
    expect(await add()).toEqual({ 'same.md': 'unchanged' });
  });

  test('is found by meaning once there is a model for it, and is indexed again when the model changes', async () => {
    const { add, find, write, use, asked } = openDocs();
    write('ships.md', 'The vessel left the harbour.');
    write('bread.md', 'A loaf costs two marks.');
    await add();
    expect(await find('boat')).toEqual([]);
    use('first');
    expect(await add()).toEqual({ 'ships.md': 'changed', 'bread.md': 'changed' });
    expect((await find('boat'))[0]).toBe('ships.md');
    const before = asked();
    expect(await add()).toEqual({ 'ships.md': 'unchanged', 'bread.md': 'unchanged' });
    expect(asked()).toBe(before);
    use('second');
    expect(await add()).toEqual({ 'ships.md': 'changed', 'bread.md': 'changed' });
  });

  test('holds exactly what the folder holds, whatever happened to it in between', async () => {
    const change = fc.record({ name: fc.integer({ min: 0, max: 4 }), word: fc.integer({ min: -1, max: 5 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(change, { maxLength: 4 }), { minLength: 1, maxLength: 5 }),
        async (rounds) => {
          const { add, find, write, remove } = openDocs();
          const present = new Map<string, string>();
          for (const round of rounds) {
            for (const { name, word } of round) {
              const file = `note${name}.md`;
              if (word >= 0) write(file, `It says marker${word}.`);
              else if (present.has(file)) remove(file);
              if (word >= 0) present.set(file, `marker${word}`);
              else present.delete(file);
            }
            await add();
          }
          for (const word of [0, 1, 2, 3, 4, 5].map((each) => `marker${each}`)) {
            const expected = [...present].filter(([, text]) => text === word).map(([file]) => file);
            expect((await find(word)).sort()).toEqual(expected.sort());
          }
        },
      ),
      { numRuns: 12 },
    );
  });
});

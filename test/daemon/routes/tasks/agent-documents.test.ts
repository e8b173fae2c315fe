import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { daemonWith } from '../../../helpers/daemon/chat.ts';
import { announce, runCli } from '../../../helpers/terminal/cli.ts';
import { onnxEmbedder, wordEmbedder } from '../../../helpers/models/text-models.ts';

const MINUTE = 60_000;
const NOTES = {
  'mat.md': 'the cat sat on the mat',
  'fire.md': 'red fire eats a tree',
  'berlin.md': 'berlin is the capital of germany',
};

/** No note has its one word that counts; to the embedders it is nothing, and the rest is nearest to one of them. */
const MEANT = { query: 'zebra on the', file: 'mat.md' };

describe('local documents with a real embedder', () => {
  test.each([
    ['in GGUF', wordEmbedder],
    ['in ONNX', onnxEmbedder],
  ])(
    'are found by what they mean, and are read anew for another one: %s',
    { timeout: 2 * MINUTE },
    async (_kind, make) => {
      const embedders = {
        first: await make({ dimensions: 64 }),
        second: await make({ dimensions: 32, name: 'another' }),
      };
      const daemon = await daemonWith(embedders, { ASKD_STARTER: 'off' });
      announce(daemon);
      const folder = join(daemon.home, 'notes');
      mkdirSync(folder);
      for (const [name, text] of Object.entries(NOTES)) writeFileSync(join(folder, name), `${text}\n`);
      const askd = (...args: string[]) => runCli(args, { home: daemon.home });
      const add = async () => {
        const { code, stdout, stderr } = await askd('docs', 'add', folder, '--json');
        expect([code, stderr]).toEqual([0, expect.any(String)]);
        const { files, collection } = JSON.parse(stdout) as {
          files: object;
          collection: { embedder: string | null };
        };
        return { files, embedder: collection.embedder };
      };
      const find = async (query: string) => {
        const { stdout } = await askd('docs', 'search', query, '--json');
        const { passages } = JSON.parse(stdout) as { passages: { path: string }[] };
        return passages.map(({ path }) => path.slice(folder.length + 1));
      };

      daemon.services.library.bind('svc-embed-v1', 'first');
      expect(await add()).toEqual({ files: { added: 3 }, embedder: 'first' });
      expect((await find(MEANT.query))[0]).toBe(MEANT.file);
      // Both orders count: its word puts it before those that mean something near.
      expect((await find('fire'))[0]).toBe('fire.md');
      expect(await add()).toEqual({ files: { unchanged: 3 }, embedder: 'first' });

      daemon.services.library.bind('svc-embed-v1', 'second');
      // Until they are added again, its vectors match none of theirs, and only words are searched.
      expect([await find('fire'), await find(MEANT.query)]).toEqual([['fire.md'], []]);
      expect(await add()).toEqual({ files: { changed: 3 }, embedder: 'second' });
      expect((await find(MEANT.query))[0]).toBe(MEANT.file);
      const used = daemon.services.store.prepare<{ model: string }>('SELECT DISTINCT model FROM usage').all();
      expect(used).toHaveLength(1);
    },
  );
});

test.each([
  ['C++(old)', 'C-old'],
  ['.notes', 'notes'],
  ['Überblick 2024', 'Überblick 2024'],
  ['(((', 'documents'],
])(
  'a folder that is called %j becomes a collection called %j',
  { timeout: MINUTE },
  async (name, collection) => {
    const daemon = await daemonWith({});
    announce(daemon);
    const folder = join(daemon.home, name);
    mkdirSync(folder);
    writeFileSync(join(folder, 'a.md'), 'The cat sat.');
    const { code, stdout } = await runCli(['docs', 'add', folder, '--json'], { home: daemon.home });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ collection: { name: collection } });
  },
);

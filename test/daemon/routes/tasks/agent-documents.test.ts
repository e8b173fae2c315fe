import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DocsEvent, DocsHits } from '../../../../src/api/management/docs.ts';
import { eventsOf } from '../../../helpers/agent/world-daemon.ts';
import { daemonWith } from '../../../helpers/daemon/chat.ts';
import { announce, runCli } from '../../../helpers/terminal/cli.ts';
import { onnxEmbedder, wordEmbedder } from '../../../helpers/models/text-models.ts';

const MINUTE = 60_000;
const NOTES = {
  'mat.md': 'the cat sat on the mat',
  'fire.md': 'red fire eats a tree',
  'berlin.md': 'berlin is the capital of germany',
};

/**
 * No note contains its one relevant word; the embedders do not know it, and the rest is nearest to one of the notes.
 */
const MEANT = { query: 'zebra on the', file: 'mat.md' };

describe('local documents with a real embedder', () => {
  test.each([
    ['in GGUF', wordEmbedder],
    ['in ONNX', onnxEmbedder],
  ])(
    'are found by meaning, and are read again for another one: %s',
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
      // Both rankings count: its word puts it before those with a similar meaning.
      expect((await find('fire'))[0]).toBe('fire.md');
      expect(await add()).toEqual({ files: { unchanged: 3 }, embedder: 'first' });

      daemon.services.library.bind('svc-embed-v1', 'second');
      // Until they are added again, its vectors match none of theirs, and only keywords are searched.
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

describe('uploaded files', () => {
  const upload = async () => {
    const daemon = await daemonWith({}, { ASKD_STARTER: 'off' });
    const send = async (files: Record<string, string>, collection = 'notes') => {
      const body = {
        collection,
        files: Object.entries(files).map(([name, text]) => ({
          name,
          content: Buffer.from(text).toString('base64'),
        })),
      };
      const reply = await daemon.call('POST', '/api/daemon/docs/files', { body });
      return { ...reply, events: eventsOf(`${reply.text}data: \n`).events as unknown as DocsEvent[] };
    };
    const find = async (query: string) => {
      const reply = await daemon.call('POST', '/api/daemon/docs/search', { body: { query } });
      return reply.json<DocsHits>().data.map(({ path }) => path);
    };
    return { daemon, send, find, copies: join(daemon.home, 'documents') };
  };

  test('are kept and indexed, replaced by later ones, and deleted with their collection', async () => {
    const { daemon, send, find, copies } = await upload();
    const { events } = await send({
      'sea/mat.md': NOTES['mat.md'],
      'cat.png': 'x',
      'fire.md': NOTES['fire.md'],
    });
    expect(events).toContainEqual({
      type: 'file',
      path: 'cat.png',
      status: 'failed',
      reason: expect.any(String),
    });
    expect(events.at(-1)).toMatchObject({ type: 'done', collection: { name: 'notes', documents: 2 } });
    expect(await find('cat')).toEqual([join(copies, 'notes', 'sea', 'mat.md')]);
    await send({ 'sea/mat.md': 'a dog on the mat' });
    expect([await find('cat'), (await find('dog')).length, (await find('fire')).length]).toEqual([[], 1, 1]);
    // As after a restore: the passages come from a backup, but the copies do not.
    rmSync(join(copies, 'notes', 'fire.md'));
    await send({ 'berlin.md': NOTES['berlin.md'] });
    expect([(await find('fire')).length, (await find('germany')).length]).toEqual([1, 1]);
    expect((await daemon.call('DELETE', '/api/daemon/docs/notes')).status).toBe(200);
    expect([existsSync(join(copies, 'notes')), await find('dog')]).toEqual([false, []]);
  });

  test.each([
    '../evil.md',
    '/etc/evil.md',
    'a//b.md',
    'a/../../evil.md',
    'a\\b.md',
    'c:evil.md',
    'a\u0000.md',
  ])('never leave their folder: %j', async (name) => {
    const { daemon, send, copies } = await upload();
    expect(await send({ [name]: 'evil' })).toMatchObject({ status: 400 });
    expect(existsSync(join(daemon.home, 'evil.md'))).toBe(false);
    expect(existsSync(join(copies, 'evil.md'))).toBe(false);
  });

  test('are refused if none can be indexed, or under an invalid name', async () => {
    const { send } = await upload();
    expect((await send({ 'cat.png': 'x', '.hidden.md': 'y' })).json()).toMatchObject({
      error: {
        message:
          'None can be indexed: cat.png is not Markdown, text, HTML, PDF or code, .hidden.md is hidden.',
      },
    });
    expect((await send({ 'a.md': 'x' }, '../up')).status).toBe(400);
  });
});

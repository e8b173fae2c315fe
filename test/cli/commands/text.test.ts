import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDaemonWith, type ChatDaemon } from '../../helpers/daemon/chat.ts';
import { announce, runCli, type CliOptions } from '../../helpers/terminal/cli.ts';
import { scriptedModel } from '../../helpers/models/models.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';
import { markerModel, similarity, wordEmbedder, wordRanker } from '../../helpers/models/text-models.ts';

let daemon: ChatDaemon;
const askd = (args: readonly string[], options: CliOptions = {}) =>
  runCli(args, { home: daemon.home, ...options });

beforeAll(async () => {
  daemon = await openDaemonWith({
    embedder: await wordEmbedder(),
    ranker: await wordRanker(),
    marker: await markerModel(),
    talker: await scriptedModel('Bonjour'),
  });
  daemon.services.library.bind('svc-rerank-v1', 'ranker');
  daemon.services.library.bind('svc-moderation-v1', 'marker');
  daemon.services.library.bind('svc-translate-v1', 'talker');
  daemon.services.library.bind('svc-embed-v1', 'embedder');
  announce(daemon);
});
afterAll(() => daemon.close());

describe('embed', () => {
  type Document = { embeddings: { text: string; embedding: number[] }[]; usage: object };

  test('prints a table for people and the vectors as JSON', async () => {
    const table = await askd(['embed', 'the cat', 'red fire']);
    expect(table.stdout).toMatch(/^TEXT +DIMENSIONS +BEGINS WITH\nthe cat +64 +-?0\.\d{4}/);
    const { stdout } = await askd(['embed', 'the cat sat', 'sat the cat', '--json']);
    const { embeddings, usage } = JSON.parse(stdout) as Document;
    expect(embeddings.map(({ text }) => text)).toEqual(['the cat sat', 'sat the cat']);
    const [first, second] = embeddings.map(({ embedding }) => embedding);
    expect(similarity(first ?? [], second ?? [])).toBeCloseTo(1, 4);
    expect(usage).toEqual({ prompt_tokens: 10, total_tokens: 10 });
  });

  test('takes the lines of files and of stdin, in requests of a hundred, and reports progress', async () => {
    const file = join(temporaryFolder(), 'texts.txt');
    writeFileSync(file, 'the cat\n\nred fire\r\n');
    const input = `${Array<string>(120).fill('a dog').join('\n')}\n`;
    const { stdout, stderr, code } = await askd(['embed', '--json', '-f', file, '-', 'moon'], { input });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '100 of 123\n123 of 123\n' });
    const texts = (JSON.parse(stdout) as Document).embeddings.map(({ text }) => text);
    expect([texts.length, ...texts.slice(0, 4)]).toEqual([123, 'moon', 'the cat', 'red fire', 'a dog']);
  });

  test('without a text says what to type, and names a missing file', async () => {
    const nothing = await askd(['embed'], { terminal: true });
    expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringContaining('askd embed "TEXT"')]);
    const missing = await askd(['embed', '--file', '/nowhere/a.txt']);
    expect([missing.code, missing.stderr]).toEqual([5, expect.stringContaining('/nowhere/a.txt')]);
  });

  test('with a model that cannot embed is refused with the reason', async () => {
    const { code, stderr } = await askd(['embed', '-m', 'svc-chat-v1', 'the cat']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('not for embeddings')]);
  });
});

describe('rerank', () => {
  test('prints the best document first, and the whole answer as JSON', async () => {
    const options = { input: 'red fire\nparis is the capital of france\n' };
    const question = ['rerank', '--query', 'what is the capital of france'];
    const table = await askd(question, options);
    expect(table.stdout).toMatch(
      /^ *SCORE +LINE +DOCUMENT\n *0\.\d{4} +2 +paris is .*\n *0\.\d{4} +1 +red fire\n$/,
    );
    const { stdout } = await askd([...question, '--top', '1', '--json'], options);
    expect(JSON.parse(stdout)).toMatchObject({ schema: 'rerank/1', results: [{ index: 1 }] });
  });
});

describe('rerank of many documents', () => {
  const lines = Array.from({ length: 1000 }, (_, index) => (index === 700 ? 'the cat' : 'red fire'));
  const ask = (options: CliOptions = {}, ...args: string[]) =>
    askd(['rerank', '--query', 'the cat', '--top', '1', ...args], { input: lines.join('\n'), ...options });

  test('reports progress only on stderr, a line for each tenth', async () => {
    const { code, stdout, stderr } = await ask({}, '--json');
    const tenths = Array.from({ length: 10 }, (_, index) => `${(index + 1) * 100} of 1000\n`);
    expect([code, stderr]).toEqual([0, tenths.join('')]);
    expect(JSON.parse(stdout)).toMatchObject({ schema: 'rerank/1', results: [{ index: 700 }] });
    expect((await ask({}, '--quiet')).stderr).toBe('');
  });

  test('rewrites one line of a terminal, and erases it at the end', async () => {
    const { code, stderr } = await ask({ terminal: true }, '-');
    const shown = stderr.split('\r\u001b[K');
    expect([code, shown.length, shown[1], shown.at(-2), shown.at(-1)]).toEqual([
      ...[0, 102, `${'·'.repeat(20)}  10 of 1000`, `${'█'.repeat(20)}  1000 of 1000`, ''],
    ]);
  });

  test('without a model to serve it is refused as it is without progress', async () => {
    const { code, stderr } = await ask({}, '-m', 'svc-chat-v1');
    expect([code, stderr]).toEqual([2, expect.stringContaining('not for')]);
  });
});

describe('moderate', () => {
  test('prints a bar for each category, and the whole answer as JSON', async () => {
    const { stdout } = await askd(['moderate', 'I like you', 'I ~ you']);
    expect(stdout).toMatch(/^ok {2}I like you\n {2}hate +·{20} {2}0\.00\d\n/);
    expect(stdout).toMatch(/\nFLAGGED {2}I ~ you\n {2}hate +█{20} {2}1\.000 flagged\n/);
    expect(stdout.trimEnd().split('\n')).toHaveLength(25);
    const json = await askd(['moderate', '--json', 'I ~ you']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      schema: 'moderate/1',
      results: [{ text: 'I ~ you', flagged: true, categories: { 'sexual/minors': true } }],
    });
  });
});

describe('translate', () => {
  test('prints only the translation, of words, a file or piped input', async () => {
    const typed = await askd(['translate', '--to', 'French', 'Good', 'morning']);
    expect([typed.code, typed.stdout, typed.stderr]).toEqual([0, 'Bonjour\n', '']);
    const file = join(temporaryFolder(), 'letter.txt');
    writeFileSync(file, '- Good morning\n\n- Good night\n');
    const fromFile = await askd(['translate', '--to', 'fr', '--file', file]);
    expect(fromFile.stdout).toBe('- Bonjour\n\n- Bonjour\n');
    const piped = await askd(['translate', '--to', 'fr', '--from', 'en', '--json'], {
      input: 'Hello {name}',
    });
    expect(JSON.parse(piped.stdout)).toMatchObject({
      schema: 'translate/1',
      translated_text: 'Bonjour {name}',
      source_language: 'en',
    });
  });

  test('into an unknown language is refused with suggestions', async () => {
    const { code, stderr } = await askd(['translate', '--to', 'Frensh', 'Good morning']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('French')]);
  });
});

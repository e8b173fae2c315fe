import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ArchiveProgress } from '../../../../src/api/management/archive.ts';
import type { Contents } from '../../../../src/library/archive/contents.ts';
import { packageRoot } from '../../../../src/base/paths.ts';
import { startDaemon, type TestDaemon } from '../../../helpers/daemon/daemon.ts';
import { contentsOf, listOf, tarOf, type TarMember } from '../../../helpers/models/archives.ts';
import { randomModel } from '../../../helpers/models/models.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';

/** No network: the setting refuses every address except this machine's own. */
const OFFLINE = { ASKD_OFFLINE: '1' };

async function run(daemon: TestDaemon, path: string, body: object) {
  const reply = await daemon.call('POST', path, { body });
  const events = [...reply.text.matchAll(/^data: (.+)$/gm)].map(
    ([, data = '']) => JSON.parse(data) as ArchiveProgress,
  );
  return { status: reply.status, text: reply.text, last: events.at(-1), events };
}

const exportTo = (daemon: TestDaemon, path: string, models: string[], more = {}) =>
  run(daemon, '/api/daemon/export', { path, models, ...more });
const importFrom = (daemon: TestDaemon, path: string) => run(daemon, '/api/daemon/import-archive', { path });

async function answer(daemon: TestDaemon, model = 'svc-chat-v1') {
  const body = {
    model,
    messages: [{ role: 'user', content: 'hello' }],
    temperature: 0,
    max_tokens: 8,
    logprobs: true,
  };
  const reply = await daemon.call('POST', '/v1/chat/completions', { token: daemon.key, body });
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
  return reply.json<{ choices: unknown[] }>().choices;
}

/** A home with a chat model and an embedder of ONNX files, both bound. */
async function sender() {
  const daemon = await startDaemon(OFFLINE);
  const { path } = await randomModel('llama', { contextTokens: 4096 });
  await daemon.services.library.importArtifact({ id: 'talker', path, mode: 'link' });
  await daemon.services.library.importArtifact({
    id: 'org/words',
    path: join(packageRoot, 'models', 'starter', 'embed'),
    mode: 'link',
  });
  daemon.services.library.bind('svc-chat-v1', 'talker');
  daemon.services.library.bind('svc-embed-v1', 'org/words');
  daemon.services.library.addAlias('friend:1b', 'talker');
  return daemon;
}

test('two homes without a network give the same answers, from one archive', async () => {
  const [from, to] = [await sender(), await startDaemon(OFFLINE)];
  const archive = join(temporaryFolder(), 'models.tar');
  const written = await exportTo(from, archive, ['svc-chat-v1', 'svc-embed-v1', 'svc-rerank-v1']);
  expect(written.last).toMatchObject({
    state: 'done',
    models: ['talker', 'org/words'],
    services: ['svc-chat-v1', 'svc-embed-v1'],
    files: [archive],
    left: ['svc-rerank-v1'],
    bytes: statSync(archive).size,
  });
  expect((await importFrom(to, archive)).last).toMatchObject({
    state: 'done',
    models: ['talker', 'org/words'],
  });
  expect(await answer(to)).toEqual(await answer(from));
  expect(await answer(to, 'friend:1b')).toEqual(await answer(from));
  const embed = async (daemon: TestDaemon) =>
    (
      await daemon.call('POST', '/v1/embeddings', {
        token: daemon.key,
        body: { model: 'svc-embed-v1', input: 'a cat' },
      })
    ).json<{ data: unknown }>().data;
  expect(await embed(to)).toEqual(await embed(from));
  const findings = (await to.call('POST', '/api/daemon/examine', { body: { hashes: true } })).text;
  expect(findings).toContain('installed, hashes verified');
  for (const model of ['talker', 'org/words'])
    expect((await to.call('POST', '/api/daemon/remove', { body: { model, force: true } })).status).toBe(200);
  expect(filesUnder(join(to.home, 'models'))).toEqual([]);
}, 120_000);

test('parts are written and read, and missing ones are reported', async () => {
  const [from, to] = [await sender(), await startDaemon(OFFLINE)];
  const path = join(temporaryFolder(), 'models.tar');
  const { last } = await exportTo(from, path, ['org/words'], { split_bytes: 1_048_576 });
  const files = last?.files ?? [];
  expect(files.length).toBeGreaterThan(1);
  expect(files[0]).toBe(`${path}.001`);
  expect(files.slice(0, -1).map((file) => statSync(file).size)).toEqual(files.slice(1).map(() => 1_048_576));
  const second = readFileSync(files[1] ?? '');
  rmSync(files[1] ?? '');
  expect((await importFrom(to, path)).text).toContain('a part is missing, or it ends too early');
  expect(filesUnder(join(to.home, 'models'))).toEqual([]);
  writeFileSync(files[1] ?? '', second);
  expect((await importFrom(to, path)).last).toMatchObject({ state: 'done', models: ['org/words'] });
}, 120_000);

test('an interrupted export resumes where it was, and gives the same bytes', async () => {
  const from = await sender();
  const folder = temporaryFolder();
  const whole = join(folder, 'whole.tar');
  await exportTo(from, whole, ['talker', 'org/words']);
  const bytes = readFileSync(whole);
  const again = join(folder, 'again.tar');
  writeFileSync(`${again}.part`, bytes.subarray(0, Math.floor(bytes.length / 2)));
  const { ino } = statSync(`${again}.part`);
  await exportTo(from, again, ['talker', 'org/words']);
  expect(statSync(again).ino).toBe(ino);
  expect(readFileSync(again).equals(bytes)).toBe(true);
  writeFileSync(join(folder, 'other.tar.part'), Buffer.alloc(10_000, 1));
  await exportTo(from, join(folder, 'other.tar'), ['talker', 'org/words']);
  expect(readFileSync(join(folder, 'other.tar')).equals(bytes)).toBe(true);
  expect((await exportTo(from, whole, ['talker'])).text).toContain('already_exists');
}, 120_000);

test('an interrupted import keeps the files that are whole', async () => {
  const [from, to] = [await sender(), await startDaemon(OFFLINE)];
  const path = join(temporaryFolder(), 'models.tar');
  await exportTo(from, path, ['talker', 'org/words']);
  const { files } = contentsOf(readFileSync(path));
  const hash = createHash('sha256')
    .update(listOf(readFileSync(path)))
    .digest('hex')
    .slice(0, 32);
  const [first] = files;
  const folder = `${first?.model}-${createHash('sha256')
    .update(first?.model ?? '')
    .digest('hex')
    .slice(0, 8)}`;
  const staged = join(to.home, 'models', `.import-${hash}`, folder, first?.path ?? '');
  mkdirSync(dirname(staged), { recursive: true });
  copyFileSync(from.services.library.findArtifact('talker')?.path ?? '', staged);
  const { ino } = statSync(staged);
  expect((await importFrom(to, path)).last?.state).toBe('done');
  expect(statSync(to.services.library.findArtifact('talker')?.path ?? '').ino).toBe(ino);
}, 120_000);

describe('a hostile archive is refused and changes nothing', () => {
  const content = Buffer.from('GGUF weights');
  const good: Contents = {
    format: 'askd-archive',
    version: 1,
    models: [
      {
        manifest: {
          ...{ id: 'bad', name: 'bad', engine: 'llama', tasks: ['chat'], services: [], tier: 'imported' },
          ...{ licence: 'mit', path: 'bad.gguf', bytes: content.length, contextTokensMax: 100 },
        },
        aliases: [],
      },
    ],
    bindings: [],
    files: [
      {
        ...{ member: 'files/0001-bad.gguf', model: 'bad', path: 'bad.gguf', bytes: content.length },
        sha256: createHash('sha256').update(content).digest('hex'),
      },
    ],
  };
  const model = good.models[0] as Contents['models'][number];
  const file = good.files[0] as Contents['files'][number];
  const member = { path: file.member, body: content };

  test.each<[string, Contents, TarMember[], string]>([
    [
      'a path that leads out',
      { ...good, files: [{ ...file, path: '../../askd.db' }] },
      [member],
      'points outside its folder',
    ],
    [
      'an absolute path',
      { ...good, files: [{ ...file, path: '/etc/passwd' }] },
      [member],
      'points outside its folder',
    ],
    [
      'a path of Windows',
      { ...good, files: [{ ...file, path: '..\\up' }] },
      [member],
      'points outside its folder',
    ],
    [
      'weights that are elsewhere',
      { ...good, models: [{ ...model, manifest: { ...model.manifest, path: '../../secret' } }] },
      [member],
      'points outside its folder',
    ],
    [
      'a link in place of a file',
      good,
      [{ ...member, type: 'SymbolicLink', linkpath: '/etc/passwd' }],
      'it has SymbolicLink',
    ],
    ['a hard link', good, [{ ...member, type: 'Link', linkpath: '/etc/passwd' }], 'it has Link'],
    [
      'another hash',
      { ...good, files: [{ ...file, sha256: '0'.repeat(64) }] },
      [member],
      'does not match its hash',
    ],
    ['another size', { ...good, files: [{ ...file, bytes: 3 }] }, [member], 'instead of'],
    [
      'a size of which only the list knows',
      { ...good, files: [{ ...file, bytes: 1e15 }] },
      [member],
      'ends too early',
    ],
    [
      'a file that it does not list',
      good,
      [member, { path: 'files/0002', body: content }],
      'more than its list says',
    ],
    ['a file that is missing', good, [], 'it is not an archive of askd, or it is damaged'],
    [
      'a path that is used twice',
      { ...good, files: [file, { ...file, member: 'files/0002' }] },
      [member],
      'a path is used twice',
    ],
    [
      'an id that is no id',
      { ...good, models: [{ ...model, manifest: { ...model.manifest, id: '../x' } }] },
      [member],
      'is not an id',
    ],
    ['a newer version', { ...good, version: 2 as 1 }, [member], 'its version is 2'],
    [
      'settings that are a list',
      { ...good, settings: ['host'] as unknown as object as Record<string, unknown> },
      [member],
      'its settings are not an object',
    ],
    [
      'settings without end',
      { ...good, settings: Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`s${index}`, 1])) },
      [member],
      'it has more than 200 settings',
    ],
  ])('for %s', async (_name, contents, members, reason) => {
    const to = await startDaemon(OFFLINE);
    const path = join(temporaryFolder(), 'hostile.tar');
    const list = { path: 'askd-archive.json', body: Buffer.from(JSON.stringify(contents)) };
    writeFileSync(path, tarOf([list, ...members]));
    const { text } = await importFrom(to, path);
    expect(text).toContain(reason);
    expect(to.services.library.findArtifact('bad')).toBeUndefined();
    expect(filesUnder(join(to.home, 'models'))).toEqual([]);
  });

  test('for noise, another tar, and a truncated one', async () => {
    const to = await startDaemon(OFFLINE);
    const path = join(temporaryFolder(), 'noise.tar');
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.alloc(5000, 7),
      tarOf([{ path: 'readme', body: content }]),
    ]) {
      writeFileSync(path, bytes);
      expect((await importFrom(to, path)).text).toContain('archive_invalid');
    }
    writeFileSync(
      path,
      tarOf([{ path: 'askd-archive.json', body: Buffer.from(JSON.stringify(good)) }, member]),
    );
    truncateSync(path, statSync(path).size - 1500);
    expect((await importFrom(to, path)).text).toContain('archive_invalid');
    expect((await importFrom(to, '/nowhere.tar')).text).toContain('not_found');
    expect(filesUnder(join(to.home, 'models'))).toEqual([]);
  });
});

test('a model that is here already is not replaced', async () => {
  const from = await sender();
  const path = join(temporaryFolder(), 'models.tar');
  await exportTo(from, path, ['talker']);
  expect((await importFrom(from, path)).text).toContain('askd rm --force talker');
  expect((await exportTo(from, join(dirname(path), 'b.tar'), ['svc-chat-v1', 'nothing'])).text).toContain(
    'model_not_found',
  );
}, 60_000);

function filesUnder(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
}

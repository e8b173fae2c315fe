import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { checkArchive } from '../../../src/backup/check-archive.ts';
import { restoreHome } from '../../../src/backup/restore-home.ts';
import { version } from '../../../src/base/version.ts';
import { MIGRATIONS } from '../../../src/store/migrations.ts';
import { openSqlite } from '../../../src/store/sqlite.ts';
import { openStore } from '../../../src/store/store.ts';
import {
  databaseOf,
  never,
  writeArchive,
  writeRawArchive,
  type RawEntry,
} from '../../helpers/backup/archives.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const CHAT = { name: 'chats/last.json', text: '{"model":"a","messages":[]}' };

async function restoreInto(home: string, archive: string): Promise<void> {
  const checked = await checkArchive(archive, never);
  await restoreHome({ archive, checked, home, secrets: undefined, signal: never, onBytes: () => undefined });
}

/** What happened in an empty home. */
async function outcomeOf(archive: string) {
  const home = temporaryFolder();
  const error = await restoreInto(home, archive).catch((thrown: Error) => thrown);
  return { error: String(error), left: readdirSync(home) };
}

test('restores what was written, each file readable by its owner only', async () => {
  const home = temporaryFolder();
  await restoreInto(home, await writeArchive(await databaseOf(), [CHAT]));
  expect(readdirSync(home, { recursive: true }).sort()).toEqual(['askd.db', 'chats', 'chats/last.json']);
  expect(readFileSync(join(home, CHAT.name), 'utf8')).toBe(CHAT.text);
  expect(
    [home, 'askd.db', 'chats', CHAT.name].slice(1).map((name) => statSync(join(home, name)).mode & 0o77),
  ).toEqual([0, 0, 0]);
  const store = openStore(join(home, 'askd.db'));
  expect(store.prepare('SELECT id FROM artifacts').all()).toEqual([{ id: 'my-model' }]);
  store.close();
});

test('a copy is whole while another connection writes', async () => {
  const folder = temporaryFolder();
  const store = openStore(join(folder, 'askd.db'));
  const insert = store.prepare("INSERT INTO artifacts VALUES(?, '{}', 1)");
  const copying = store.copyTo(join(folder, 'copy.db'));
  for (let pair = 0; pair < 200; pair++) {
    store.transaction(() => [insert.run(`a-${pair}`), insert.run(`b-${pair}`)]);
    if (pair % 20 === 0) await new Promise(setImmediate);
  }
  await copying;
  store.close();
  const copy = openSqlite(join(folder, 'copy.db'), { readonly: true });
  const halves = copy
    .prepare("SELECT sum(id LIKE 'a-%') AS a, sum(id LIKE 'b-%') AS b FROM artifacts")
    .get() as Record<string, number>;
  expect(halves['a']).toBe(halves['b']);
  expect(copy.pragma('quick_check', { simple: true })).toBe('ok');
  copy.close();
});

test('every archive that is cut short is refused, and leaves the home empty', async () => {
  const archive = await writeArchive(await databaseOf(), [CHAT]);
  const { size } = statSync(archive);
  for (const length of [
    0,
    100,
    512,
    700,
    Math.floor(size / 2),
    size - 1600,
    size - 1024,
    size - 512,
    size - 1,
  ]) {
    const cut = join(temporaryFolder(), 'cut.tar');
    writeFileSync(cut, readFileSync(archive));
    truncateSync(cut, length);
    expect([length, await outcomeOf(cut)]).toEqual([
      length,
      { error: expect.stringContaining('not a complete backup') as string, left: [] },
    ]);
  }
});

test('a changed byte is detected wherever it is', async () => {
  const archive = await writeArchive(await databaseOf(), [CHAT]);
  const bytes = readFileSync(archive);
  for (const at of [
    0,
    600,
    40_000,
    bytes.indexOf('"model":"a"'),
    bytes.indexOf('chats/last'),
    bytes.indexOf('askd-backup/1'),
  ]) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    const path = join(temporaryFolder(), 'changed.tar');
    writeFileSync(path, changed);
    expect([at, await outcomeOf(path)]).toEqual([
      at,
      { error: expect.stringContaining('not a complete backup') as string, left: [] },
    ]);
  }
});

const HOSTILE: readonly [string, RawEntry[]][] = [
  ['a path above the home', [{ path: '../evil', text: 'x' }]],
  ['an absolute path', [{ path: '/tmp/evil', text: 'x' }]],
  ['a path that climbs out of a folder', [{ path: 'chats/../../evil.json', text: 'x' }]],
  ['a symbolic link', [{ path: 'chats/a.json', type: 'SymbolicLink', linkpath: '/etc/passwd' }]],
  ['a hard link', [{ path: 'chats/a.json', type: 'Link', linkpath: '/etc/passwd' }]],
  ['a folder', [{ path: 'chats', type: 'Directory' }]],
  ['a device', [{ path: 'chats/a.json', type: 'CharacterDevice' }]],
  ['an extended header', [{ path: 'chats/a.json', type: 'ExtendedHeader', text: '20 path=../evil.json\n' }]],
  ['a file of another name', [{ path: 'root-token', text: 'askroot_mine' }]],
  [
    'the same name twice',
    [
      { path: 'chats/a.json', text: '1' },
      { path: 'chats/a.json', text: '2' },
    ],
  ],
  ['a size far beyond the file', [{ path: 'chats/a.json', size: 10 ** 12, text: 'x' }]],
  ['a database that is none', [{ path: 'askd.db', text: 'hello' }]],
];

test.each(HOSTILE)('an archive with %s is refused, and writes nothing', async (_what, entries) => {
  expect(await outcomeOf(writeRawArchive(entries))).toEqual({
    error: expect.stringContaining('not a complete backup') as string,
    left: [],
  });
});

test('a compressed archive is refused, so that none can grow beyond its size', async () => {
  const path = join(temporaryFolder(), 'bomb.tar');
  writeFileSync(path, gzipSync(Buffer.alloc(10_000_000)));
  expect(await outcomeOf(path)).toEqual({
    error: expect.stringContaining('not a tar archive') as string,
    left: [],
  });
});

test('an archive of an older schema is migrated by the next start', async () => {
  const home = temporaryFolder();
  await restoreInto(home, await writeArchive(await databaseOf(1)));
  const store = openStore(join(home, 'askd.db'));
  expect(store.prepare('PRAGMA user_version').get()).toEqual({ user_version: MIGRATIONS.length });
  expect(store.prepare('SELECT id FROM artifacts').all()).toEqual([{ id: 'my-model' }]);
  store.close();
});

test('an archive of a newer schema is refused with the version that reads it', async () => {
  const path = await databaseOf();
  const newer = openSqlite(path);
  newer.pragma(`user_version = ${MIGRATIONS.length + 1}`);
  newer.close();
  expect(await outcomeOf(await writeArchive(path))).toEqual({
    error: expect.stringContaining(
      `made by a newer askd, 9.8.7 (schema ${MIGRATIONS.length + 1}; this one, ${version}, knows ${MIGRATIONS.length})`,
    ) as string,
    left: [],
  });
});

test('a home that is not empty is refused and stays as it is', async () => {
  const home = temporaryFolder();
  writeFileSync(join(home, 'note.txt'), 'mine');
  const archive = await writeArchive(await databaseOf());
  await expect(restoreInto(home, archive)).rejects.toThrow('is not empty (note.txt)');
  expect(readdirSync(home)).toEqual(['note.txt']);
});

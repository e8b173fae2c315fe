import { chmodSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSqlite } from '../../../src/store/sqlite.ts';
import { describe, expect, test } from 'vitest';
import { leaveMarker } from '../../../src/store/clean-marker.ts';
import { takeLock } from '../../../src/store/lock.ts';
import { MIGRATIONS } from '../../../src/store/migrations.ts';
import { findDamage, openStore } from '../../../src/store/store.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

describe('the store', () => {
  test('keeps what was committed when it is opened again', () => {
    const path = join(temporaryFolder(), 'a', 'askd.db');
    const first = openStore(path);
    first.prepare("INSERT INTO bindings VALUES('svc-chat-v1', 'x', 1)").run();
    first.close();
    const second = openStore(path);
    expect(second.prepare('SELECT artifact_id FROM bindings').get()).toEqual({ artifact_id: 'x' });
    second.close();
  });

  test.skipIf(process.platform === 'win32')(
    'is readable only by its owner, even in a home that is open to all',
    () => {
      const home = temporaryFolder();
      chmodSync(home, 0o755);
      const path = join(home, 'askd.db');
      writeFileSync(path, '', { mode: 0o644 });
      const store = openStore(path);
      const lock = takeLock(join(home, 'daemon.lock'));
      const modes = readdirSync(home).map((name) => [
        name,
        (statSync(join(home, name)).mode & 0o777).toString(8),
      ]);
      expect(modes.length).toBeGreaterThan(3);
      expect(modes).toEqual(modes.map(([name]) => [name, '600']));
      lock?.release();
      store.close();
    },
  );

  test('writes through to the disk at every commit', () => {
    const path = join(temporaryFolder(), 'askd.db');
    const store = openStore(path);
    expect(store.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    expect(store.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
    expect(store.prepare('PRAGMA foreign_keys').get()).toEqual({ foreign_keys: 1 });
    store.close();
  });

  test('applies only the migrations that a database still lacks', () => {
    const path = join(temporaryFolder(), 'askd.db');
    openStore(path, ['CREATE TABLE a(x INTEGER) STRICT']).close();
    const store = openStore(path, ['CREATE TABLE a(x INTEGER) STRICT', 'CREATE TABLE b(x INTEGER) STRICT']);
    expect(store.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all()).toEqual([
      { name: 'a' },
      { name: 'b' },
    ]);
    store.close();
  });

  test('leaves no half-applied migration behind when one fails', () => {
    const path = join(temporaryFolder(), 'askd.db');
    const broken = 'CREATE TABLE a(x INTEGER) STRICT; CREATE TABLE a(x INTEGER) STRICT;';
    expect(() => openStore(path, [broken])).toThrow(/already exists/);
    openStore(path, ['CREATE TABLE a(x INTEGER) STRICT']).close();
  });

  test('refuses a database of a newer version and says what to do', () => {
    const path = join(temporaryFolder(), 'askd.db');
    openStore(path, [...MIGRATIONS, 'SELECT 1']).close();
    expect(() => openStore(path)).toThrow(expect.objectContaining({ code: 'schema_too_new' }));
    expect(() => openStore(path)).toThrow(/newer askd/);
  });

  test('refuses a file that is not a database', () => {
    const path = join(temporaryFolder(), 'askd.db');
    writeFileSync(
      path,
      'this is not a database, it is a text that somebody saved here by mistake'.repeat(99),
    );
    expect(() => openStore(path)).toThrow(expect.objectContaining({ code: 'store_damaged' }));
  });

  test('refuses a database with a damaged page', () => {
    const path = join(temporaryFolder(), 'askd.db');
    const store = openStore(path);
    for (let row = 0; row < 500; row++) {
      store.prepare('INSERT INTO bindings VALUES(?, ?, 1)').run(`service-${row}`, 'x'.repeat(100));
    }
    store.close();
    damageMiddle(path);
    expect(() => openStore(path)).toThrow(expect.objectContaining({ code: 'store_damaged' }));
  });

  test('rolls a transaction back when its work throws', () => {
    const store = openStore(':memory:');
    const insert = () => store.prepare("INSERT INTO bindings VALUES('svc-chat-v1', 'x', 1)").run();
    expect(() =>
      store.transaction(() => {
        insert();
        throw new Error('changed my mind');
      }),
    ).toThrow('changed my mind');
    expect(store.prepare('SELECT * FROM bindings').all()).toEqual([]);
    store.close();
  });

  test('refuses an asynchronous transaction, which SQLite would commit too early', () => {
    const store = openStore(':memory:');
    expect(() => store.transaction(async () => undefined)).toThrow('must not be asynchronous');
    store.close();
  });

  test('has only strict tables', () => {
    const store = openStore(':memory:');
    const tables = store.prepare<{ name: string; type: string; strict: number }>('PRAGMA table_list').all();
    // A word index keeps tables of its own, whose structure is not ours.
    const own = tables.filter(({ name, type }) => !name.startsWith('sqlite_') && type === 'table');
    expect(own.length).toBeGreaterThan(4);
    expect(own.filter(({ strict }) => strict !== 1)).toEqual([]);
    store.close();
  });
});

describe('a large database', () => {
  test('that was closed cleanly is not read as a whole', () => {
    const path = largeDatabase();
    damageMiddle(path);
    leaveMarker(path, 'clean');
    const store = openStore(path);
    expect(store.integrity).toBe('trusted');
    expect(findDamage(store)).toBeDefined();
    store.close();
  });

  test('that was not closed stays due for a check until it has passed', () => {
    const path = largeDatabase();
    const cutOff = openStore(path);
    const next = openStore(path);
    expect(next.integrity).toBe('pending');
    next.close();
    const again = openStore(path);
    expect(again.integrity).toBe('pending');
    again.wasChecked(findDamage(again));
    expect(again.integrity).toBe('checked');
    cutOff.close();
    again.close();
    const last = openStore(path);
    expect(last.integrity).toBe('trusted');
    last.close();
  });

  test('that something else wrote to since it was closed is due for a check', () => {
    const path = largeDatabase();
    utimesSync(path, new Date(), new Date(Date.now() - 60_000));
    const store = openStore(path);
    expect(store.integrity).toBe('pending');
    store.close();
  });

  test('in which damage was found is refused at the next start', () => {
    const path = largeDatabase();
    damageMiddle(path);
    const store = openStore(path);
    expect(store.integrity).toBe('pending');
    store.wasChecked(findDamage(store));
    store.close();
    for (let start = 0; start < 2; start++) {
      expect(() => openStore(path)).toThrow(expect.objectContaining({ code: 'store_damaged' }));
    }
  });

  test('without a readable header or schema is refused however it was closed', () => {
    for (const [from, to] of [
      [0, 16],
      [100, 4096],
    ] as const) {
      const path = largeDatabase();
      writeFileSync(path, readFileSync(path).fill(0xff, from, to));
      leaveMarker(path, 'clean');
      expect(() => openStore(path)).toThrow(expect.objectContaining({ code: 'store_damaged' }));
    }
  });
});

/** Larger than what is read at every start, and closed cleanly. */
function largeDatabase(): string {
  const path = join(temporaryFolder(), 'askd.db');
  const store = openStore(path);
  store.transaction(() => {
    for (let row = 0; row < 20_000; row++) {
      store.prepare('INSERT INTO bindings VALUES(?, ?, 1)').run(`service-${row}`, 'x'.repeat(1000));
    }
  });
  store.close();
  return path;
}

function damageMiddle(path: string): void {
  const database = openSqlite(path);
  const pages = Number(database.pragma('page_count', { simple: true }));
  database.close();
  const bytes = Buffer.from(readFileSync(path));
  bytes.fill(0xff, 4096 * Math.floor(pages / 2), 4096 * (Math.floor(pages / 2) + 2));
  writeFileSync(path, bytes);
}

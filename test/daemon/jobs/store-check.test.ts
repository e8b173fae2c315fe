import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSqlite } from '../../../src/store/sqlite.ts';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { openStore } from '../../../src/store/store.ts';
import { eventually } from '../../helpers/daemon/chat.ts';
import { startKillable } from '../../helpers/daemon/killable-daemon.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const PAGE_BYTES = 4096;

test('a large database is read whole after a kill, while requests are served, and not after a clean end', async () => {
  const { home, log, stop } = homeWithLargeDatabase();
  const first = await startKillable(home);
  await eventually(log).toContain('the database was closed cleanly');
  await first.kill();
  const second = await startKillable(home);
  await eventually(log).toContain('the database was not closed cleanly');
  await eventually(log).toContain('the database is intact');
  await stop(second);
  const third = await startKillable(home);
  await eventually(() => log().split('the database was closed cleanly').length).toBe(3);
  expect(log().split('the database is intact')).toHaveLength(2);
  await stop(third);
}, 180_000);

test('damage that a kill left in a large database is reported while the daemon serves, and prevents its next start', async () => {
  const { home, path, log, stop } = homeWithLargeDatabase();
  await (await startKillable(home)).kill();
  damageMiddle(path);
  const daemon = await startKillable(home);
  expect((await request(`${daemon.baseUrl}/healthz`)).statusCode).toBe(200);
  await eventually(log).toMatch(/"level":60.*is damaged/);
  const { notices } = await daemon.control<{ notices: object[] }>('GET', '/api/daemon/status');
  expect(notices).toMatchObject([{ kind: 'store_damaged', message: expect.stringContaining('backup') }]);
  await stop(daemon);
  for (let start = 0; start < 2; start++) {
    await expect(startKillable(home)).rejects.toThrow('ended with 9 before it served');
  }
}, 180_000);

/** A store of a daemon that was stopped properly, with much data in a table of its own. */
function homeWithLargeDatabase() {
  const home = temporaryFolder();
  const path = join(home, 'askd.db');
  const store = openStore(path);
  store.prepare('CREATE TABLE filler(bytes BLOB NOT NULL) STRICT').run();
  store.transaction(() => {
    for (let row = 0; row < 20; row++) store.prepare('INSERT INTO filler VALUES(zeroblob(1000000))').run();
  });
  store.close();
  const log = () => readFileSync(join(home, 'logs', 'askd.log'), 'utf8');
  const stop = async ({ control }: Awaited<ReturnType<typeof startKillable>>) => {
    const ends = log().split('daemon stopped').length;
    await control('POST', '/api/daemon/shutdown', {});
    await eventually(() => log().split('daemon stopped').length).toBe(ends + 1);
  };
  return { home, path, log, stop };
}

/** What the log beside it holds is newer, so that has to be in the file first. */
function damageMiddle(path: string): void {
  const database = openSqlite(path);
  database.pragma('wal_checkpoint(TRUNCATE)');
  const pages = Number(database.pragma('page_count', { simple: true }));
  const table = database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'filler'").pluck().get();
  database.close();
  const bytes = readFileSync(path);
  expect(pages).toBeGreaterThan(4000);
  bytes.fill(0xff, PAGE_BYTES * (Number(table) - 1), PAGE_BYTES * Number(table));
  writeFileSync(path, bytes);
}

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openStore, type Store } from '../../../src/store/store.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const WAIT = { timeout: 60_000 };
/** About what a page of the database holds. */
const PAGE = JSON.stringify('x'.repeat(4_000));

test('what many requests wrote reaches the database while it is open', WAIT, async () => {
  const { store, databaseBytes } = open();
  await write(store, 1);
  const before = databaseBytes();
  await write(store, 2_500);
  expect(databaseBytes()).toBe(before);
  await vi.waitUntil(() => databaseBytes() > before, WAIT);
});

test('a journal that became long begins anew, and grows no more', WAIT, async () => {
  const { store, journalBytes } = open();
  await write(store, 4_500, PAGE);
  await vi.waitUntil(async () => {
    const before = journalBytes();
    await write(store, 1);
    return journalBytes() === before;
  }, WAIT);
});

test('closing during a checkpoint leaves one whole file', WAIT, async () => {
  const { store, path, databaseBytes } = open();
  await write(store, 1);
  const before = databaseBytes();
  await write(store, 2_500, PAGE);
  await vi.waitUntil(() => databaseBytes() > before, { ...WAIT, interval: 1 });
  store.close();
  expect(existsSync(`${path}-wal`)).toBe(false);
  const again = openStore(path);
  expect(again.prepare('SELECT count(*) AS n FROM events').get()).toEqual({ n: 2_501 });
  expect(again.integrity).toBe('checked');
  again.close();
});

function open() {
  const path = join(temporaryFolder(), 'askd.db');
  const store = openStore(path);
  onTestFinished(() => store.close());
  const bytes = (file: string) => statSync(file).size;
  return { store, path, databaseBytes: () => bytes(path), journalBytes: () => bytes(`${path}-wal`) };
}

let serial = 0;

async function write(store: Store, rows: number, data = '{}'): Promise<void> {
  await store.groupedTransaction(() => {
    const insert = store.prepare('INSERT INTO events(id, type, created_at, data) VALUES(?, ?, ?, ?)');
    for (let row = 0; row < rows; row++) insert.run(`evt_${(serial += 1)}`, 'chat.started', 1, data);
  });
}

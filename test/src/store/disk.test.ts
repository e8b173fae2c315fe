import type * as Fs from 'node:fs';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createDisk } from '../../../src/store/disk.ts';
import { openStore } from '../../../src/store/store.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const WAIT = { timeout: 30_000 };

/** The real calls, counted: there is no other way to see whether a power cut would undo something. */
const calls = vi.hoisted(() => ({ syncs: 0, ended: 0, closed: 0, refusedToOpen: 0, refuse: false }));
vi.mock('node:fs', async (importActual) => {
  const fs = await importActual<typeof Fs>();
  return {
    ...fs,
    openSync: (...options: Parameters<typeof fs.openSync>) => {
      try {
        return fs.openSync(...options);
      } catch (error) {
        calls.refusedToOpen += 1;
        throw error;
      }
    },
    close: (handle: number) => {
      calls.closed += 1;
      fs.close(handle);
    },
    fdatasync: (handle: number, done: (error: Error | null) => void) => {
      calls.syncs += 1;
      fs.fdatasync(handle, (error) => {
        calls.ended += 1;
        const refused = calls.refuse ? new Error('EIO: i/o error, fdatasync') : null;
        calls.refuse = false;
        done(error ?? refused);
      });
    },
  };
});

beforeEach(() => Object.assign(calls, { syncs: 0, ended: 0, closed: 0, refusedToOpen: 0, refuse: false }));

describe('what a request wrote without waiting', () => {
  test('is flushed to the disk soon, and once for many', async () => {
    const store = openStore(join(temporaryFolder(), 'askd.db'));
    for (let row = 0; row < 50; row++) bind(store, `a${row}`);
    await vi.waitUntil(() => calls.ended > 0, WAIT);
    expect(calls.syncs).toBeLessThan(25);
    store.close();
  });

  test('while the disk is being written is flushed the next time', async () => {
    const disk = createDisk(emptyFile());
    disk.syncSoon();
    await vi.waitUntil(() => calls.syncs === 1, WAIT);
    disk.syncSoon();
    await vi.waitUntil(() => calls.ended === 2, WAIT);
    disk.close();
  });

  test('is retried when the disk refuses', async () => {
    const disk = createDisk(emptyFile());
    calls.refuse = true;
    disk.syncSoon();
    await vi.waitUntil(() => calls.ended === 2, WAIT);
    disk.close();
  });

  test('waits for a file that cannot be opened now, and causes no failure meanwhile', async () => {
    const file = join(temporaryFolder(), 'later');
    const disk = createDisk(file);
    disk.syncSoon();
    await vi.waitUntil(() => calls.refusedToOpen > 0, WAIT);
    writeFileSync(file, '');
    await vi.waitUntil(() => calls.ended === 1, WAIT);
    disk.close();
  });

  test('leaves no file open, whenever the store is closed', async () => {
    const during = createDisk(emptyFile());
    during.syncSoon();
    await vi.waitUntil(() => calls.syncs === 1, WAIT);
    during.close();
    await vi.waitUntil(() => calls.closed === 1, WAIT);
    const before = createDisk(emptyFile());
    before.syncSoon();
    before.close();
    expect(calls.syncs).toBe(1);
  });
});

test('a transaction that waits is flushed by SQLite itself, and so is a write without a transaction', () => {
  const store = openStore(join(temporaryFolder(), 'askd.db'));
  const mode = () => store.prepare('PRAGMA synchronous').get();
  bind(store, 'a');
  expect(mode()).toEqual({ synchronous: 2 });
  store.close();
});

function bind(store: ReturnType<typeof openStore>, service: string): void {
  store.relaxedTransaction(() => store.prepare("INSERT INTO bindings VALUES(?, 'x', 1)").run(service));
}

function emptyFile(): string {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  return file;
}

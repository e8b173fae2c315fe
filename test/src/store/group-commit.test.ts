import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStore, openStoreToRead } from '../../../src/store/store.ts';
import { breakCommit } from '../../helpers/full-disk.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

test('the works of one turn run at once and are committed together', async () => {
  const { bind, committed } = open();
  const works = [bind('a'), bind('b')];
  expect(committed()).toEqual([]);
  await works[0];
  expect(committed()).toEqual(['a', 'b']);
  await Promise.all(works);
  await bind('c');
  expect(committed()).toEqual(['a', 'b', 'c']);
});

test('a work returns its result when it is committed', async () => {
  const { store, committed, insert } = open();
  const result = await store.groupedTransaction(() => insert('a'));
  expect(result).toBe(1);
  expect(committed()).toEqual(['a']);
});

test('a work that throws leaves nothing of its own and all of the others', async () => {
  const { store, bind, insert, committed } = open();
  const before = bind('before');
  const broken = store.groupedTransaction(() => {
    insert('broken');
    throw new Error('changed its mind');
  });
  const after = bind('after');
  await expect(broken).rejects.toThrow('changed its mind');
  await Promise.all([before, after]);
  expect(committed()).toEqual(['after', 'before']);
});

test('when the commit fails, every work of it fails and leaves nothing, and the next one succeeds', async () => {
  const { store, bind, committed } = open();
  const works = [bind('a'), store.groupedTransaction(() => breakCommit(store)), bind('b')];
  const outcomes = await Promise.allSettled(works);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(committed()).toEqual([]);
  await bind('c');
  expect(committed()).toEqual(['c']);
});

test('when the disk takes no more, a work fails and so do those before it, whose changes SQLite gave up', async () => {
  const { store, insert, committed } = open();
  const first = store.groupedTransaction(() => insert('a'));
  const last = store.groupedTransaction(() => {
    // What SQLite does by itself where a write fails.
    store.prepare('ROLLBACK').run();
    throw new Error('disk I/O error');
  });
  const outcomes = await Promise.allSettled([first, last]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(committed()).toEqual([]);
});

test('what is no part of the group finds it committed, and is committed by itself', async () => {
  const { store, bind, insert, committed } = open();
  const others: (() => unknown)[] = [
    () => store.transaction(() => insert('transaction')),
    () => store.relaxedTransaction(() => insert('relaxed')),
    () => insert('statement'),
  ];
  for (const [index, other] of others.entries()) {
    const work = bind(`grouped ${index}`);
    other();
    expect(committed()).toHaveLength(2 * (index + 1));
    await work;
  }
});

test('a read between two works sees the first and leaves the group open', async () => {
  const { store, bind, committed } = open();
  const works = [bind('a')];
  expect(store.prepare('SELECT count(*) AS n FROM bindings').get()).toEqual({ n: 1 });
  works.push(bind('b'));
  expect(committed()).toEqual([]);
  await Promise.all(works);
});

test('a transaction inside a work belongs to it', async () => {
  const { store, insert, committed } = open();
  const work = store.groupedTransaction(() => {
    store.transaction(() => insert('transaction'));
    store.relaxedTransaction(() => insert('relaxed'));
    void store.groupedTransaction(() => insert('grouped'));
    throw new Error('all of it');
  });
  await expect(work).rejects.toThrow('all of it');
  expect(committed()).toEqual([]);
});

test('closing commits what is open', async () => {
  const { store, bind, committed } = open();
  const work = bind('a');
  store.close();
  await work;
  expect(committed()).toEqual(['a']);
});

test('an asynchronous work is refused', async () => {
  const { store, committed } = open();
  await expect(store.groupedTransaction(async () => undefined)).rejects.toThrow('must not be asynchronous');
  expect(committed()).toEqual([]);
});

test('a transaction that waits for the disk still does so after a group', async () => {
  const { store, bind } = open();
  await bind('a');
  expect(store.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
});

function open() {
  const path = join(temporaryFolder(), 'askd.db');
  const store = openStore(path);
  onTestFinished(() => store.close());
  const insert = (service: string) =>
    store.prepare("INSERT INTO bindings VALUES(?, 'x', 1)").run(service).changes;
  return {
    store,
    insert,
    bind: (service: string) => store.groupedTransaction(() => insert(service)),
    /** As another connection sees it. */
    committed: (): string[] => {
      const reader = openStoreToRead(path);
      const rows = reader.prepare<{ service: string }>('SELECT * FROM bindings ORDER BY service').all();
      reader.close();
      return rows.map(({ service }) => service);
    },
  };
}

import { expect, onTestFinished, test, vi } from 'vitest';
import { createSnapshot } from '../../../src/store/memory.ts';
import { openStore } from '../../../src/store/store.ts';

function openSnapshot() {
  const store = openStore(':memory:');
  onTestFinished(() => store.close());
  const read = vi.fn(() => store.prepare<{ n: number }>('SELECT count(*) AS n FROM bindings').get()?.n ?? -1);
  const snapshot = createSnapshot<number>(store);
  const bind = (service: string) =>
    store.prepare("INSERT INTO bindings VALUES(?, 'x', 1)").run(service).changes;
  return { store, read, bind, look: () => snapshot.get('bindings', read), snapshot };
}

test('a read value is kept while no row changes', () => {
  const { look, read, store } = openSnapshot();
  expect([look(), look()]).toEqual([0, 0]);
  store.prepare("DELETE FROM bindings WHERE service = 'none'").run();
  expect(look()).toBe(0);
  expect(read).toHaveBeenCalledTimes(1);
});

test('any change of a row is seen at once, with a transaction or without', () => {
  const { look, bind, store } = openSnapshot();
  look();
  bind('a');
  expect(look()).toBe(1);
  store.transaction(() => bind('b'));
  expect(look()).toBe(2);
  store.relaxedTransaction(() => bind('c'));
  expect(look()).toBe(3);
  store.prepare('DELETE FROM bindings').run();
  expect(look()).toBe(0);
});

test('a transaction sees its own changes, and when it is rolled back none of them are kept', () => {
  const { look, bind, store } = openSnapshot();
  look();
  const seen: number[] = [];
  const failing = () =>
    store.transaction(() => {
      bind('a');
      seen.push(look());
      throw new Error('taken back');
    });
  expect(failing).toThrow('taken back');
  expect([...seen, look()]).toEqual([1, 0]);
});

test('each name has its own value', () => {
  const { snapshot } = openSnapshot();
  const read = (name: string, value: number) => snapshot.get(name, () => value);
  expect([read('a', 1), read('b', 2), read('a', 3)]).toEqual([1, 2, 1]);
});

test('what is not there is not kept, and is read again', () => {
  const { store } = openSnapshot();
  const snapshot = createSnapshot<string | undefined>(store);
  const read = vi.fn(() => undefined);
  snapshot.get('a', read);
  snapshot.get('a', read);
  expect(read).toHaveBeenCalledTimes(2);
});

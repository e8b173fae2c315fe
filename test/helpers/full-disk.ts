import type { Store } from '../../src/store/store.ts';

/** A database on a disk that is full while the test says so: then each transaction is refused, and nothing of it stays. */
export function withFullDisk(store: Store) {
  let isFull = false;
  const refuse = <Result>(work: () => Result): Result => {
    work();
    throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  };
  return {
    store: {
      ...store,
      get inTransaction() {
        return store.inTransaction;
      },
      transaction: <Result>(work: () => Result) => store.transaction(() => (isFull ? refuse(work) : work())),
      relaxedTransaction: <Result>(work: () => Result) =>
        store.relaxedTransaction(() => (isFull ? refuse(work) : work())),
    } satisfies Store,
    fill: () => void (isFull = true),
    empty: () => void (isFull = false),
  };
}

import type { Store } from '../../src/store/store.ts';

/**
 * A database on a disk that is full while the test says so: then each transaction is refused and rolled back
 * completely.
 */
export function withFullDisk(store: Store) {
  let isFull = false;
  let failsCommit = false;
  const isNoRoom = () => Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  const refuse = <Result>(work: () => Result): Result => {
    work();
    throw isNoRoom();
  };
  const broken = <Result>(work: () => Result): Result => {
    breakCommit(store);
    return work();
  };
  return {
    store: {
      ...store,
      get inTransaction() {
        return store.inTransaction;
      },
      transaction: <Result>(work: () => Result) => store.transaction(() => (isFull ? refuse(work) : work())),
      relaxedTransaction<Result>(work: () => Result): Result {
        if (!failsCommit) return store.relaxedTransaction(() => (isFull ? refuse(work) : work()));
        try {
          return store.relaxedTransaction(() => broken(work));
        } catch {
          throw isNoRoom();
        }
      },
      async groupedTransaction<Result>(work: () => Result): Promise<Result> {
        if (!failsCommit) return store.groupedTransaction(() => (isFull ? refuse(work) : work()));
        const ending = store.groupedTransaction(() => broken(work));
        return ending.catch(() => Promise.reject(isNoRoom()));
      },
    } satisfies Store,
    fill: () => void (isFull = true),
    /** It takes what requests write, and not the commit that they share. */
    fillAtCommit: () => void (failsCommit = true),
    empty: () => void (isFull = failsCommit = false),
  };
}

/** A row that refers to none: SQLite is told to find out when the transaction commits, which then fails. */
export function breakCommit(store: Pick<Store, 'prepare'>): void {
  store.prepare('PRAGMA defer_foreign_keys = ON').run();
  store.prepare(HOLD_OF_NOBODY).run();
}

const HOLD_OF_NOBODY = `
  INSERT INTO holds(id, account_id, request_id, amount_n, month, boot_id, created_at)
  VALUES(hex(randomblob(8)), 'nobody', hex(randomblob(8)), 1, '2026-06', 'boot', 0)`;

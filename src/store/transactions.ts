import type Database from 'better-sqlite3';
import { createGroupCommit } from './group-commit.ts';

type Options = {
  database: Database.Database;
  onCommitted: () => unknown;
  /** Called as well where the disk does not have it yet. */
  onRelaxed: () => unknown;
};

/** Ways to write, by how long they wait for the disk and with whom they are committed. */
export function createTransactions({ database, onCommitted, onRelaxed }: Options) {
  const group = createGroupCommit({ database, onCommitted: relaxed });
  // Created once: creating it takes longer than starting and committing it.
  const atomically = database.transaction((work: () => unknown) => rejectPromise(work()));

  function relaxed(): void {
    onRelaxed();
    onCommitted();
  }

  /** Runs `work` in one immediate transaction. It must be synchronous: SQLite would commit at the first await. */
  function transaction<Result>(work: () => Result): Result {
    group.commit();
    const result = atomically.immediate(work) as Result;
    onCommitted();
    return result;
  }

  /**
   * The same without waiting for the disk, which has it some milliseconds later. A power cut may undo the latest of
   * these, all of them together and in order; a crash of this process undoes nothing.
   */
  function relaxedTransaction<Result>(work: () => Result): Result {
    group.commit();
    if (database.inTransaction) return work();
    // Not by `pragma`, which reads a result that does not exist.
    database.exec('PRAGMA synchronous = NORMAL');
    try {
      return atomically.immediate(work) as Result;
    } finally {
      database.exec('PRAGMA synchronous = FULL');
      relaxed();
    }
  }

  /**
   * The same for one request of many: `work` runs at once, and shares its commit with the others of this turn of the
   * event loop. Whoever answers waits for it.
   */
  function groupedTransaction<Result>(work: () => Result): Promise<Result> {
    return group.run(() => rejectPromise(work()));
  }

  return {
    ...{ transaction, relaxedTransaction, groupedTransaction },
    /** Commits what is open: it is no part of what comes next. */
    commitGroup: group.commit,
    isBetweenGrouped: group.isBetween,
  };
}

function rejectPromise<Result>(result: Result): Result {
  if (result instanceof Promise) throw new TypeError('A transaction must not be asynchronous');
  return result;
}

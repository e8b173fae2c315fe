import type Database from 'better-sqlite3';

type Waiting = { resolve: () => void; reject: (error: unknown) => void };
type Options = { database: Database.Database; onCommitted: () => void };

export type GroupCommit = ReturnType<typeof createGroupCommit>;

/**
 * Puts the work of many requests into one transaction, committed when this turn of the event loop is over. A page that
 * all of them change is then written once. Each work is a savepoint, so one that fails takes nothing of the others back.
 */
export function createGroupCommit({ database, onCommitted }: Options) {
  const [begin, end, rollback] = ['BEGIN IMMEDIATE', 'COMMIT', 'ROLLBACK'].map((sql) =>
    database.prepare(sql),
  ) as [Database.Statement, Database.Statement, Database.Statement];
  const inSavepoint = database.transaction((work: () => unknown) => work());
  let isOpen = false;
  let isWorking = false;
  let waiting: Waiting[] = [];

  /** Runs `work` at once. Resolves when it is committed. */
  async function run<Result>(work: () => Result): Promise<Result> {
    if (database.inTransaction && (isWorking || !isOpen)) return work();
    if (!isOpen) open();
    const result = workOn(work);
    await new Promise<void>((resolve, reject) => void waiting.push({ resolve, reject }));
    return result;
  }

  function open(): void {
    // Not by `pragma`, which reads a result that does not exist.
    database.exec('PRAGMA synchronous = NORMAL');
    try {
      begin.run();
    } catch (error) {
      database.exec('PRAGMA synchronous = FULL');
      throw error;
    }
    isOpen = true;
    setImmediate(commit);
  }

  function workOn<Result>(work: () => Result): Result {
    isWorking = true;
    try {
      return inSavepoint(work) as Result;
    } catch (error) {
      // SQLite gives up the whole transaction where the disk fails it.
      if (!database.inTransaction) close((each) => each.reject(error));
      throw error;
    } finally {
      isWorking = false;
    }
  }

  /** Whatever is to be a transaction of its own calls this first. */
  function commit(): void {
    if (!isOpen || isWorking) return;
    try {
      end.run();
    } catch (error) {
      if (database.inTransaction) rollback.run();
      close((each) => each.reject(error));
      return;
    }
    close((each) => each.resolve());
    onCommitted();
  }

  function close(settle: (each: Waiting) => void): void {
    isOpen = false;
    database.exec('PRAGMA synchronous = FULL');
    const settled = waiting;
    waiting = [];
    settled.forEach(settle);
  }

  return { run, commit, isBetween: (): boolean => isOpen && !isWorking };
}

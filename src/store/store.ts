import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { Failure } from '../errors.ts';
import { MIGRATIONS } from './migrations.ts';

export type Store = ReturnType<typeof openStore>;

/** Opens the one database, refuses what it cannot trust, and brings the schema up to date. */
export function openStore(path: string, migrations: readonly string[] = MIGRATIONS) {
  const database = openDatabase(path);
  try {
    checkIntegrity(database, path);
    migrate(database, path, migrations);
  } catch (error) {
    database.close();
    throw error;
  }
  const statements = new Map<string, Database.Statement<unknown[]>>();

  return {
    get inTransaction() {
      return database.inTransaction;
    },
    /** Grows with every row that this process changes, and it is the only one that does. */
    changes(): number {
      return this.prepare<{ n: number }>('SELECT total_changes() AS n').get()?.n ?? 0;
    },
    /** Prepares once per text. */
    prepare<Row = unknown>(sql: string): Database.Statement<unknown[], Row> {
      const statement = statements.get(sql) ?? database.prepare(sql);
      statements.set(sql, statement);
      return statement as Database.Statement<unknown[], Row>;
    },
    /** Runs `work` in one immediate transaction. It must be synchronous: SQLite would commit at the first await. */
    transaction<Result>(work: () => Result): Result {
      return database.transaction(() => rejectPromise(work())).immediate();
    },
    /**
     * The same, but a power cut may take back the latest of these, all of them together and in order. For work that is
     * then simply done again: it does not wait for the disk. A crash of this process takes back nothing.
     */
    relaxedTransaction<Result>(work: () => Result): Result {
      if (database.inTransaction) return work();
      database.pragma('synchronous = NORMAL');
      try {
        return database.transaction(() => rejectPromise(work())).immediate();
      } finally {
        database.pragma('synchronous = FULL');
      }
    },
    close() {
      if (database.open) database.close();
    },
  };
}

/** A second look at the database, from another thread, that can change nothing. */
export function openStoreToRead(path: string): Pick<Store, 'prepare' | 'close'> {
  const database = new Database(path, { readonly: true });
  return {
    prepare: <Row = unknown>(sql: string) => database.prepare(sql) as Database.Statement<unknown[], Row>,
    close: () => void database.close(),
  };
}

function openDatabase(path: string): Database.Database {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    const database = new Database(path);
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
    database.pragma('busy_timeout = 5000');
    return database;
  } catch (cause) {
    throw damaged(path, (cause as Error).message, cause);
  }
}

function checkIntegrity(database: Database.Database, path: string): void {
  let verdict: string;
  try {
    verdict = String(database.pragma('quick_check(1)', { simple: true }));
  } catch (cause) {
    throw damaged(path, (cause as Error).message, cause);
  }
  if (verdict !== 'ok') throw damaged(path, verdict);
}

function damaged(path: string, reason: string, cause?: unknown): Failure {
  const fix = 'Restore it from a backup, or move it away to start with an empty one.';
  return new Failure('store_damaged', `The database ${path} is damaged (${reason}). ${fix}`, { cause });
}

function migrate(database: Database.Database, path: string, migrations: readonly string[]): void {
  const current = Number(database.pragma('user_version', { simple: true }));
  if (current > migrations.length) {
    throw new Failure(
      'schema_too_new',
      `The database ${path} was written by a newer askd (schema ${current}, this one knows ${migrations.length}). ` +
        'Install that version again, or point ASKD_HOME at another folder.',
    );
  }
  migrations.slice(current).forEach((sql, index) => {
    const apply = database.transaction(() => {
      database.exec(sql);
      database.pragma(`user_version = ${current + index + 1}`);
    });
    apply.immediate();
  });
}

function rejectPromise<Result>(result: Result): Result {
  if (result instanceof Promise) throw new TypeError('A transaction must not be asynchronous');
  return result;
}

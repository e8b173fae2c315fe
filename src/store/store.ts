import { statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { Failure } from '../base/errors.ts';
import { createCheckpoints, JOURNAL_PAGES_MAX } from './checkpoints.ts';
import { leaveMarker, takeMarker, type LastEnd } from './clean-marker.ts';
import { createDisk } from './disk.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations.ts';
import { makePrivate } from './private-file.ts';
import { openSqlite } from './sqlite.ts';
import { createTransactions } from './transactions.ts';

/** Up to this size the whole file is read at every start, which is fast enough. */
const CHECKED_AT_ONCE_BYTES_MAX = 16 * 1024 * 1024;

export type Store = ReturnType<typeof openStore>;

/** Whether the whole file was read, did not need to be since it was closed cleanly, or is still to be read. */
export type Integrity = 'checked' | 'trusted' | 'pending';

/** Opens the one database, rejects what it cannot trust, and migrates the schema. */
export function openStore(path: string, migrations: readonly string[] = MIGRATIONS) {
  const lastEnd = takeMarker(path);
  const database = openDatabase(path);
  let integrity = integrityAfter(lastEnd, path);
  try {
    if (integrity === 'checked') refuseDamaged(database, path);
    else readSchema(database, path);
    migrate(database, path, migrations);
  } catch (error) {
    database.close();
    if (isDamage(error)) markDamaged(path);
    throw error;
  }
  const statements = new Map<string, Database.Statement<unknown[]>>();
  const counting = database.prepare<[], number>('SELECT total_changes()').pluck();
  const changes = (): number => counting.get() ?? 0;
  const disk = createDisk(`${path}-wal`);
  const isFile = path !== ':memory:';
  const transactions = createTransactions({
    database,
    onCommitted: () => isFile && checkpoints.soon(),
    onRelaxed: () => isFile && disk.syncSoon(),
  });
  const { transaction, relaxedTransaction, groupedTransaction, commitGroup, isBetweenGrouped } = transactions;
  const checkpoints = createCheckpoints({ path, database, changes, commitGroup });

  return {
    get inTransaction() {
      return database.inTransaction;
    },
    /** Grows with every row that this process changes, and it is the only one that does. */
    changes,
    /** Prepares each statement once. Between the works of a group only reads join it. */
    prepare<Row = unknown>(sql: string): Database.Statement<unknown[], Row> {
      let statement = statements.get(sql);
      if (statement === undefined) statements.set(sql, (statement = database.prepare(sql)));
      if (isBetweenGrouped() && !(statement.readonly && statement.reader)) commitGroup();
      return statement as Database.Statement<unknown[], Row>;
    },
    transaction,
    relaxedTransaction,
    groupedTransaction,
    /** A copy of one moment, made while others read and write. */
    copyTo(target: string): Promise<void> {
      commitGroup();
      return copyDatabase(database, target);
    },
    get integrity() {
      return integrity;
    },
    /** Stores the result of a deferred integrity check; after damage, the next start reads the whole file first. */
    wasChecked(damage: string | undefined): void {
      if (damage === undefined) integrity = 'checked';
      else markDamaged(path);
    },
    close() {
      if (!database.open) return;
      commitGroup();
      checkpoints.close();
      disk.close();
      database.close();
      if (integrity !== 'pending' && path !== ':memory:') leaveMarker(path, 'clean');
    },
  };
}

async function copyDatabase(database: Database.Database, target: string): Promise<void> {
  makePrivate(target);
  await database.backup(target);
  // One file without a journal beside it.
  const copy = openSqlite(target);
  copy.pragma('journal_mode = DELETE');
  copy.close();
}

/** A read-only connection to the database, for another thread. */
export function openStoreToRead(path: string): Pick<Store, 'prepare' | 'close'> {
  const database = openSqlite(path, { readonly: true });
  return {
    prepare: <Row = unknown>(sql: string) => database.prepare(sql) as Database.Statement<unknown[], Row>,
    close: () => void database.close(),
  };
}

function openDatabase(path: string): Database.Database {
  if (path !== ':memory:') makePrivate(path);
  try {
    const database = openSqlite(path);
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.pragma(`wal_autocheckpoint = ${JOURNAL_PAGES_MAX}`);
    database.pragma('foreign_keys = ON');
    database.pragma('busy_timeout = 5000');
    return database;
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw damaged(path, (cause as Error).message, cause);
  }
}

/** A small file is always read completely, a large one only after an exit that may have left it half written. */
function integrityAfter(lastEnd: LastEnd, path: string): Integrity {
  const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes <= CHECKED_AT_ONCE_BYTES_MAX || lastEnd === 'damaged') return 'checked';
  return lastEnd === 'clean' ? 'trusted' : 'pending';
}

function refuseDamaged(database: Database.Database, path: string): void {
  const damage = findDamage({ prepare: (sql) => database.prepare(sql) });
  if (damage !== undefined) throw damaged(path, damage);
}

/** Reads every page, about a second per 100 MB; returns the first problem. */
export function findDamage(store: Pick<Store, 'prepare'>): string | undefined {
  try {
    const verdict = store.prepare<{ quick_check: string }>('PRAGMA quick_check(1)').get()?.quick_check;
    return verdict === 'ok' ? undefined : String(verdict).replace(/\s+/g, ' ');
  } catch (cause) {
    return (cause as Error).message;
  }
}

/** The minimum that must be intact: the header, and every row of the schema. */
function readSchema(database: Database.Database, path: string): void {
  try {
    database.prepare('SELECT count(*) FROM sqlite_schema WHERE sql IS NOT NULL').get();
  } catch (cause) {
    throw damaged(path, (cause as Error).message, cause);
  }
}

function isDamage(error: unknown): boolean {
  return error instanceof Failure && error.code === 'store_damaged';
}

function markDamaged(path: string): void {
  if (path !== ':memory:') leaveMarker(path, 'damaged');
}

function damaged(path: string, reason: string, cause?: unknown): Failure {
  const fix = 'Restore it from a backup, or move it away to start empty.';
  return new Failure('store_damaged', `The database ${path} is damaged (${reason}). ${fix}`, { cause });
}

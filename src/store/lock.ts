import { makePrivate } from './private-file.ts';
import { openSqlite } from './sqlite.ts';

/**
 * A lock that the operating system drops when its holder dies, however it dies: an exclusive transaction that is
 * never committed, on a separate database file. Returns undefined if another process holds it.
 */
export function takeLock(path: string): { release: () => void } | undefined {
  makePrivate(path);
  const database = openSqlite(path, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return undefined;
    throw error;
  }
  return { release: () => database.close() };
}

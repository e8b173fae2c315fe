import { chmodSync, closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeHomeFolder } from '../base/make-folder.ts';

/**
 * SQLite gives a new database what the umask leaves, and its journals what the database has. A home that was there
 * before askd may be open to all; what people said to models, and a lock that any reader could hold, are not.
 */
export function makePrivate(path: string): void {
  makeHomeFolder(dirname(path));
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // Not by opening it: to close a file that this process has open elsewhere would drop SQLite's locks.
    makeModePrivate(path);
  }
}

/** Some file systems know no modes, and a file of another user keeps its own: askd doctor tells of both. */
function makeModePrivate(path: string): void {
  try {
    chmodSync(path, 0o600);
  } catch {
    return;
  }
}

import { chmodSync, closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeHomeFolder } from '../base/make-folder.ts';

/**
 * SQLite creates a database with the umask's mode, and its journals with the mode of the database. A home that
 * existed before askd may be open to everyone. Conversations must not be readable there, nor a lock that any reader
 * could hold.
 */
export function makePrivate(path: string): void {
  makeHomeFolder(dirname(path));
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // Not by opening it: closing a file that this process has open elsewhere would drop SQLite's locks.
    makeModePrivate(path);
  }
}

/** Some file systems have no modes, and a file of another user keeps its own: askd doctor reports both. */
function makeModePrivate(path: string): void {
  try {
    chmodSync(path, 0o600);
  } catch {
    return;
  }
}

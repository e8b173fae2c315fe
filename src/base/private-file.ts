import { chownSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeHomeFolder } from './make-folder.ts';

/**
 * Replaced atomically, so that readers get either the old file or the new one. Readable only by the owner of its
 * folder, since root may write into the home of a service that has its own user.
 */
export function writePrivateFile(path: string, text: string): void {
  const folder = dirname(path);
  makeHomeFolder(folder);
  const temporary = `${path}.${process.pid}`;
  rmSync(temporary, { force: true });
  writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' });
  if (process.getuid?.() === 0) {
    const { uid, gid } = statSync(folder);
    chownSync(temporary, uid, gid);
  }
  renameSync(temporary, path);
}

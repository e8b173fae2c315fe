import { existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';

/** Free bytes on the disk where a folder is, or will be. */
export function freeDiskBytes(folder: string): number {
  let existing = folder;
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
  const { bavail, bsize } = statfsSync(existing);
  return bavail * bsize;
}

import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** As mkdir -p. Node's own way answers "no such file" where the truth is that the disk is full. */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    makeFolder(dirname(path));
    mkdirSync(path);
  }
}

import { existsSync, readdirSync, rmdirSync } from 'node:fs';
import { dirname, sep } from 'node:path';

/** From this folder up to the root, which is kept. */
export function removeEmptyFolders(folder: string, root: string): void {
  let each = folder;
  while (each.startsWith(root + sep)) {
    if (existsSync(each)) {
      if (readdirSync(each).length > 0) return;
      rmdirSync(each);
    }
    each = dirname(each);
  }
}

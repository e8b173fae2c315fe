import { close, openSync, rmSync } from 'node:fs';

/**
 * Renames a file at once and frees its space in another thread: for some gigabytes, that takes the system a good part
 * of a second, for which no request should wait.
 */
export function renameAndDelete(path: string): void {
  const file = openedIfPossible(path);
  try {
    rmSync(path, { force: true });
  } finally {
    if (file !== undefined) close(file, () => undefined);
  }
}

/** Permission to delete a file does not imply permission to open it. */
function openedIfPossible(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch {
    return undefined;
  }
}

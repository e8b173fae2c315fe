import { close, openSync, rmSync } from 'node:fs';

/**
 * Removes a file's name at once and frees its space in another thread: for some gigabytes, that takes the system a good
 * part of a second, for which no request should wait.
 */
export function deleteFile(path: string): void {
  const file = openedIfPossible(path);
  try {
    rmSync(path, { force: true });
  } finally {
    // The caller may remove the file's folder next, and ext4 would let that wait until the space is free.
    if (file !== undefined) setImmediate(close, file, () => undefined);
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

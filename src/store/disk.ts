import { close, fdatasync, openSync } from 'node:fs';

/** So much time of writing is brought to the disk at once. */
const SOON_MS = 10;

/** Brings what SQLite wrote to a file to the disk: soon, off this thread, and once for all that was written meanwhile. */
export function createDisk(path: string) {
  let handle: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isSyncing = false;
  let isOwed = false;
  let isClosed = false;

  function syncSoon(): void {
    if (isSyncing) isOwed = true;
    else timer ??= setTimeout(start, SOON_MS).unref();
  }

  function start(): void {
    timer = undefined;
    isOwed = false;
    isSyncing = true;
    handle ??= openSync(path, 'r+');
    fdatasync(handle, ended);
  }

  /** What the disk refuses fails at SQLite's own next wait for it too. */
  function ended(error: Error | null): void {
    isSyncing = false;
    if (isClosed) release();
    else if (isOwed || error) syncSoon();
  }

  function release(): void {
    if (handle !== undefined) close(handle);
    handle = undefined;
  }

  return {
    syncSoon,
    close(): void {
      clearTimeout(timer);
      isClosed = true;
      if (!isSyncing) release();
    },
  };
}

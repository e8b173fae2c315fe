import { close, fdatasync, openSync } from 'node:fs';

/** So much time of writing is brought to the disk at once. */
const SOON_MS = 10;
const RETRY_MS = 1000;

/** Brings what SQLite wrote to a file to the disk: soon, off this thread, and once for all that was written meanwhile. */
export function createDisk(path: string) {
  let handle: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isSyncing = false;
  let isOwed = false;
  let isClosed = false;

  function syncIn(ms: number): void {
    if (isSyncing) isOwed = true;
    else timer ??= setTimeout(start, ms).unref();
  }

  /** The file may not open, as when there are too many open files: that must end nothing, and is tried again. */
  function start(): void {
    timer = undefined;
    isOwed = false;
    try {
      handle ??= openSync(path, 'r+');
    } catch {
      syncIn(RETRY_MS);
      return;
    }
    isSyncing = true;
    fdatasync(handle, ended);
  }

  /** What the disk refuses fails at SQLite's own next wait for it too. */
  function ended(error: Error | null): void {
    isSyncing = false;
    if (isClosed) release();
    else if (error) syncIn(RETRY_MS);
    else if (isOwed) syncIn(SOON_MS);
  }

  function release(): void {
    if (handle !== undefined) close(handle);
    handle = undefined;
  }

  return {
    syncSoon: (): void => syncIn(SOON_MS),
    close(): void {
      clearTimeout(timer);
      isClosed = true;
      if (!isSyncing) release();
    },
  };
}

import { close, fdatasync, openSync } from 'node:fs';

/** Writes within this time share one fsync. */
const SOON_MS = 10;
const RETRY_MS = 1000;

/** Syncs SQLite's writes to the disk: soon, off this thread, and once for everything written in the meantime. */
export function createDisk(path: string) {
  let handle: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isSyncing = false;
  let isPending = false;
  let isClosed = false;

  function syncIn(ms: number): void {
    if (isSyncing) isPending = true;
    else timer ??= setTimeout(start, ms).unref();
  }

  /** Opening the file may fail, for example with too many open files: that is retried and ends nothing. */
  function start(): void {
    timer = undefined;
    isPending = false;
    try {
      handle ??= openSync(path, 'r+');
    } catch {
      syncIn(RETRY_MS);
      return;
    }
    isSyncing = true;
    fdatasync(handle, ended);
  }

  /** A failed fsync also fails SQLite's own next sync. */
  function ended(error: Error | null): void {
    isSyncing = false;
    if (isClosed) release();
    else if (error) syncIn(RETRY_MS);
    else if (isPending) syncIn(SOON_MS);
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

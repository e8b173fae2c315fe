import { Worker } from 'node:worker_threads';
import type Database from 'better-sqlite3';
import { entryFile } from '../base/paths.ts';

/** Checkpoints come no more often than this, and after as many changed rows. */
const EVERY_MS = 1000;
const ROWS = 2000;
/** Pages in the journal (16 MB) from which on it is begun again. */
const JOURNAL_PAGES = 4000;
/** Where the thread does not keep up, SQLite does it at a commit: up to 64 MB at once. */
export const JOURNAL_PAGES_MAX = 4 * JOURNAL_PAGES;
const CLOSE_WAIT_MS = 5000;

export type CheckpointRequest = { path: string; isBusy: Int32Array };
/** SQLite's names for the pages of the journal, and those of them that the database has. */
export type JournalState = { busy: number; log: number; checkpointed: number };

type Options = {
  path: string;
  database: Database.Database;
  changes: () => number;
  commitGroup: () => void;
};

/**
 * Brings the journal's pages into the database in a thread: that reads, writes and waits for the disk for some tens of
 * milliseconds. What was written meanwhile is little, so this thread brings it there itself and the journal begins anew.
 */
export function createCheckpoints({ path, database, changes, commitGroup }: Options) {
  const isBusy = new Int32Array(new SharedArrayBuffer(4));
  let worker: Worker | undefined;
  let timer: NodeJS.Timeout | undefined;
  let rowsBefore = changes();

  /** After a commit. */
  function soon(): void {
    timer ??= setTimeout(look, EVERY_MS).unref();
  }

  /** With nothing to do for a while, the thread ends. */
  function look(): void {
    timer = undefined;
    if (Atomics.load(isBusy, 0) === 1) return soon();
    if (changes() - rowsBefore < ROWS) return end();
    rowsBefore = changes();
    worker ??= start();
    Atomics.store(isBusy, 0, 1);
    worker.postMessage('checkpoint');
    soon();
  }

  function start(): Worker {
    const started = new Worker(entryFile('src/store/checkpoint-worker.js'), { workerData: { path, isBusy } });
    started.unref();
    started.on('message', ({ log }: JournalState) => {
      if (worker === started && log >= JOURNAL_PAGES) finish();
    });
    // SQLite does what is left undone, at a commit.
    started.on('error', () => undefined);
    started.on('exit', () => {
      Atomics.store(isBusy, 0, 0);
      if (worker === started) worker = undefined;
    });
    return started;
  }

  function finish(): void {
    commitGroup();
    if (!database.inTransaction) database.pragma('wal_checkpoint(PASSIVE)');
  }

  function end(): void {
    const ended = worker;
    worker = undefined;
    void ended?.terminate();
  }

  return {
    soon,
    /** Waits for a checkpoint that runs: whoever closes the database last puts its journal away. */
    close(): void {
      clearTimeout(timer);
      Atomics.wait(isBusy, 0, 1, CLOSE_WAIT_MS);
      end();
    },
  };
}

import { parentPort, workerData } from 'node:worker_threads';
import type { CheckpointRequest, JournalState } from './checkpoints.ts';
import { openSqlite } from './sqlite.ts';

const { path, isBusy } = workerData as CheckpointRequest;

/** A connection for each checkpoint, so that the last one to close the database is the daemon's. */
parentPort?.on('message', () => {
  try {
    const database = openSqlite(path);
    try {
      const [state] = database.pragma('wal_checkpoint(PASSIVE)') as JournalState[];
      parentPort?.postMessage(state);
    } finally {
      database.close();
    }
  } finally {
    Atomics.store(isBusy, 0, 0);
    Atomics.notify(isBusy, 0);
  }
});

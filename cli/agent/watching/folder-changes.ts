import { watch, type FSWatcher } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../../src/base/errors.ts';

/** An editor that saves, or a program that writes many files, causes several events within this time. */
const GATHER_MS = 300;

export type FolderChanges = ReturnType<typeof watchFolder>;

/** Changes below a folder from now on, even while nobody waits for them. */
export function watchFolder(folder: string, signal: AbortSignal) {
  let hasChanged = false;
  let failure: Failure | undefined;
  let wake: () => void = () => undefined;
  const watcher = open(folder);
  watcher.on('change', () => {
    hasChanged = true;
    wake();
  });
  watcher.on('error', (cause) => {
    failure = cannotWatch(folder, cause);
    wake();
  });
  signal.addEventListener('abort', () => wake(), { once: true });

  return {
    /** Resolves when something has changed since the last call, with everything that changed at the same time. */
    next: async (): Promise<void> => {
      while (!hasChanged && failure === undefined && !signal.aborted)
        await new Promise<void>((resolve) => (wake = resolve));
      signal.throwIfAborted();
      if (failure) throw failure;
      await sleep(GATHER_MS, undefined, { signal });
      hasChanged = false;
    },
    close: () => watcher.close(),
  };
}

function open(folder: string): FSWatcher {
  try {
    return watch(folder, { recursive: true });
  } catch (cause) {
    throw cannotWatch(folder, cause as Error);
  }
}

function cannotWatch(folder: string, cause: Error): Failure {
  const { code } = cause as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new Failure('not_found', `There is no folder ${folder}.`, { cause });
  const why = code === 'ENOSPC' ? 'it needs more than fs.inotify.max_user_watches allows' : cause.message;
  return new Failure('invalid_value', `The folder ${folder} cannot be watched: ${why}.`, { cause });
}

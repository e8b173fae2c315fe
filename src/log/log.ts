import { pino, type Logger } from 'pino';
import { createStream, type RotatingFileStream } from 'rotating-file-stream';
import type { LogLevel } from '../config/config.ts';
import type { LogTail } from './log-tail.ts';
import { makeHomeFolder } from '../base/make-folder.ts';
import type { Paths } from '../base/paths.ts';
import { redactSecrets } from '../base/secrets.ts';

const REOPEN_AFTER_MS = 10_000;

export type Log = Logger;

export type LogOptions = {
  paths: Pick<Paths, 'logs'>;
  level: LogLevel;
  /** Also prints each line, for a daemon in the foreground. */
  echo?: (line: string) => void;
  /** For live viewers. */
  tail?: LogTail;
};

/** JSON lines in a file of bounded size. Secrets are redacted in every finished line, wherever they occur in it. */
export function openLog({ paths, level, echo, tail }: LogOptions): { log: Log; close: () => Promise<void> } {
  makeHomeFolder(paths.logs);
  const file = openFile(paths.logs);
  const destination = {
    write(line: string) {
      const safe = redactSecrets(line);
      file.write(safe);
      echo?.(safe);
      tail?.push(safe);
    },
  };
  const log = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
  return { log, close: file.close };
}

/** If the disk is full or gone, lines are lost, and a later line reopens the file. */
function openFile(folder: string) {
  let failedAt = -Infinity;
  let isClosed = false;
  let file: RotatingFileStream | undefined = open();
  let lines = '';

  function open(): RotatingFileStream {
    const opened = createStream('askd.log', { path: folder, size: '10M', maxFiles: 5, mode: 0o600 });
    return opened.on('error', () => {
      file = undefined;
      failedAt = performance.now();
    });
  }

  function flush(): void {
    const written = lines;
    lines = '';
    if (written === '') return;
    file ??= open();
    file.write(written);
  }

  return {
    write(line: string): void {
      // A response that is cut off when the daemon stops is logged after the end.
      if (isClosed || performance.now() - failedAt < REOPEN_AFTER_MS) return;
      // Each write is a task of another thread, so the lines of one turn of the event loop are one.
      if (lines === '') setImmediate(flush);
      lines += line;
    },
    close: () =>
      new Promise<void>((resolve) => {
        isClosed = true;
        flush();
        if (file === undefined || file.destroyed) return resolve();
        file.once('error', () => resolve()).end(() => resolve());
      }),
  };
}

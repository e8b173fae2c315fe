import { mkdirSync } from 'node:fs';
import { pino, type Logger } from 'pino';
import { createStream } from 'rotating-file-stream';
import type { LogLevel } from './config.ts';
import type { LogTail } from './log-tail.ts';
import type { Paths } from './paths.ts';
import { redactSecrets } from './secrets.ts';

export type Log = Logger;

export type LogOptions = {
  paths: Pick<Paths, 'logs'>;
  level: LogLevel;
  /** Also print each line, for a daemon in the foreground. */
  echo?: (line: string) => void;
  /** For those who watch it live. */
  tail?: LogTail;
};

/** JSON lines in a file of bounded size. Secrets are cut from every finished line, wherever they hide in it. */
export function openLog({ paths, level, echo, tail }: LogOptions): { log: Log; close: () => Promise<void> } {
  mkdirSync(paths.logs, { recursive: true, mode: 0o700 });
  const file = createStream('askd.log', { path: paths.logs, size: '10M', maxFiles: 5, mode: 0o600 });
  const destination = {
    write(line: string) {
      const safe = redactSecrets(line);
      // An answer that is cut off as the daemon ends is told of after the end.
      if (!file.writableEnded) file.write(safe);
      echo?.(safe);
      tail?.push(safe);
    },
  };
  const log = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
  return { log, close: () => new Promise((resolve) => file.end(() => resolve())) };
}

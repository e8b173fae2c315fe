import { toFailure } from '../base/errors.ts';
import type { Log } from '../log/log.ts';

export type OwedWrites = ReturnType<typeof createOwedWrites>;

const RETRY_MS = 2_000;
/** More than can be under way at once; nothing new begins on a full disk. */
const OWED_MAX = 1_000;

type Owed = { what: string; work: () => void };

/**
 * How something ended must be written down also when the disk is full at that moment. Such a write is kept in memory and
 * tried again until there is room; what a daemon takes with it when it ends, its next start puts right.
 */
export function createOwedWrites({
  log,
  retryMs = RETRY_MS,
}: {
  log: Pick<Log, 'error' | 'info'>;
  retryMs?: number;
}) {
  const owed: Owed[] = [];
  let timer: NodeJS.Timeout | undefined;

  /** Each `work` is a transaction: a refusal leaves nothing of it. Throws what no room on the disk would mend. */
  function write(what: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!lacksRoom(error) || owed.length >= OWED_MAX) throw error;
      log.error({ err: error, what }, 'the disk is full: this is kept and written when there is room');
      owed.push({ what, work });
      timer ??= setInterval(retry, retryMs).unref();
    }
  }

  /** In the order in which they were to be written, as far as the disk takes them. */
  function retry(): void {
    for (let first = owed[0]; first; first = owed[0]) {
      try {
        first.work();
        log.info({ what: first.what }, 'written, now that the disk has room');
      } catch (error) {
        if (lacksRoom(error)) return;
        log.error(
          { err: error, what: first.what },
          'this was not written, and a fuller disk was not the reason',
        );
      }
      owed.shift();
    }
    clearInterval(timer);
    timer = undefined;
  }

  return {
    write,
    retry,
    count: () => owed.length,
    close(): void {
      retry();
      clearInterval(timer);
      for (const { what } of owed.splice(0)) log.error({ what }, 'the disk is full: this was not written');
    },
  };
}

/** The journal of SQLite reports the same trouble as an error of its input and output. */
const JOURNAL_CODES: unknown[] = ['SQLITE_IOERR_WRITE', 'SQLITE_IOERR_SHMSIZE'];

function lacksRoom(error: unknown): boolean {
  return toFailure(error).code === 'disk_full' || JOURNAL_CODES.includes((error as { code?: unknown }).code);
}

import { toFailure } from '../base/errors.ts';
import type { Log } from '../log/log.ts';

export type DeferredWrites = ReturnType<typeof createDeferredWrites>;

const RETRY_MS = 2_000;
/** More than can be pending at once, since nothing new starts on a full disk. */
const DEFERRED_MAX = 1_000;

type Deferred = { what: string; work: () => void };
type Grouped = { first: () => Promise<void>; again: () => void };

/**
 * The end of something must be recorded even if the disk is full at that moment. Such a write stays in memory and is
 * retried until there is space. The next start repairs what is lost when the daemon exits.
 */
export function createDeferredWrites({
  log,
  retryMs = RETRY_MS,
}: {
  log: Pick<Log, 'error' | 'info'>;
  retryMs?: number;
}) {
  const deferred: Deferred[] = [];
  let timer: NodeJS.Timeout | undefined;

  /** Each `work` is a transaction, so a failure leaves nothing of it. Throws errors that more space would not fix. */
  function write(what: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      defer({ what, work }, error);
    }
  }

  /** The same for a write that is committed with others. */
  async function writeGrouped(what: string, { first, again }: Grouped): Promise<void> {
    try {
      await first();
    } catch (error) {
      defer({ what, work: again }, error);
    }
  }

  function defer({ what, work }: Deferred, error: unknown): void {
    if (!lacksRoom(error) || deferred.length >= DEFERRED_MAX) throw error;
    log.error({ err: error, what }, 'the disk is full: a write is kept in memory and retried');
    deferred.push({ what, work });
    timer ??= setInterval(retry, retryMs).unref();
  }

  /** In their original order, as far as the disk takes them. */
  function retry(): void {
    for (let first = deferred[0]; first; first = deferred[0]) {
      try {
        first.work();
        log.info({ what: first.what }, 'a delayed write succeeded');
      } catch (error) {
        if (lacksRoom(error)) return;
        log.error(
          { err: error, what: first.what },
          'a delayed write failed for another reason than a full disk',
        );
      }
      deferred.shift();
    }
    clearInterval(timer);
    timer = undefined;
  }

  return {
    write,
    writeGrouped,
    retry,
    count: () => deferred.length,
    close(): void {
      retry();
      clearInterval(timer);
      for (const { what } of deferred.splice(0)) log.error({ what }, 'the disk is full: a write was lost');
    },
  };
}

/** SQLite's journal reports the same condition as an I/O error of its own. */
const JOURNAL_CODES: unknown[] = ['SQLITE_IOERR_WRITE', 'SQLITE_IOERR_SHMSIZE'];

function lacksRoom(error: unknown): boolean {
  return toFailure(error).code === 'disk_full' || JOURNAL_CODES.includes((error as { code?: unknown }).code);
}

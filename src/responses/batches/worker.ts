import { anySignal } from '../../base/any-signal.ts';
import { Failure, toFailure } from '../../base/errors.ts';
import type { Log } from '../../log/log.ts';
import type { Batch, Batches } from './batches.ts';
import { createLineRunner, type LineRunnerOptions } from './run-line.ts';
import { readLines, type Line } from './lines.ts';
import type { Results } from './results.ts';
import { validate } from './validate.ts';

/** Batches in progress at the same time, and lines of each: few, since they run when nobody is waiting. */
const BATCHES_AT_ONCE = 4;
const LINES_AT_ONCE = 4;
/** After an error that only the owner can fix, such as a full disk. */
const RETRY_MS = 30_000;

export type BatchWorker = ReturnType<typeof createBatchWorker>;

type Options = LineRunnerOptions & {
  batches: Batches;
  results: Results;
  /** A timer that rings at a time of the clock. */
  openTimer: (ring: () => void) => { set: (at: number) => void; off: () => void };
  log: Pick<Log, 'error' | 'info'>;
  /** Where a file's content is stored. Fails with `not_found` for a file that was not restored. */
  pathOf: (fileId: string) => Promise<string>;
  checkModel: (model: string) => void;
};

/**
 * Takes every open batch through its states, oldest first. Everything it knows is in the database, so after a crash
 * it continues after the last stored result.
 */
export function createBatchWorker(options: Options) {
  const { batches, results, openTimer, log, pathOf, checkModel } = options;
  const running = new Map<string, { ended: Promise<void>; stop: AbortController }>();
  const runLine = createLineRunner(options);
  const closing = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let isRunning = false;

  function look(): void {
    if (!isRunning) return;
    clearTimeout(timer);
    for (const { id } of batches.open()) {
      if (running.size >= BATCHES_AT_ONCE) return;
      if (!running.has(id)) start(id);
    }
  }

  function start(id: string): void {
    const stop = new AbortController();
    const ended = advance(id, stop.signal)
      .catch((error: unknown) => {
        if (closing.signal.aborted) return;
        const { code, message } = toFailure(error);
        log.error({ batch_id: id, code, err: error }, 'a batch is interrupted and will be tried again');
        batches.waitsFor(id, message);
        timer = setTimeout(look, RETRY_MS).unref();
        return RETRY;
      })
      .then((outcome) => {
        running.delete(id);
        if (outcome !== RETRY) look();
      });
    running.set(id, { ended, stop });
  }

  /** One state after another, until the batch has ended or the daemon stops. */
  async function advance(id: string, stopped: AbortSignal): Promise<void> {
    while (!closing.signal.aborted) {
      const batch = batches.get(id);
      const { status } = batch;
      if (status === 'finalizing' || status === 'cancelling') await conclude(batch);
      else if (stopped.aborted || (status !== 'validating' && status !== 'in_progress')) return;
      else await advanceByInput(batch, stopped);
    }
  }

  async function advanceByInput(batch: Batch, stopped: AbortSignal): Promise<void> {
    const path = await inputOf(batch);
    if (path === undefined) return;
    if (batch.status === 'validating') await check(batch, path, stopped);
    else await work(batch, path, stopped);
  }

  /** Undefined if it is gone. Nobody can bring it back, so the batch fails with the results so far. */
  async function inputOf(batch: Batch): Promise<string | undefined> {
    try {
      return await pathOf(batch.inputFileId);
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'not_found') throw error;
      await results.writeFiles(batch);
      const { code, message } = error;
      batches.fail(batch.id, [{ code, line: null, message, param: 'input_file_id' }]);
      await pruneResults();
      return undefined;
    }
  }

  async function check({ id, endpoint }: Batch, path: string, stopped: AbortSignal): Promise<void> {
    const checked = await unlessStopped(stopped, () =>
      validate({ path, endpoint, checkModel, signal: stopped }),
    );
    if (checked === undefined) return;
    if (Array.isArray(checked)) batches.fail(id, checked);
    else batches.begin(id, checked);
  }

  async function work(batch: Batch, path: string, stopped: AbortSignal): Promise<void> {
    const { id, expiresAt, waiting } = batch;
    if (waiting !== null) batches.waitsFor(id, null);
    const expiry = new AbortController();
    const window = openTimer(() => expiry.abort(new Error('Its window is over')));
    window.set(expiresAt);
    const signal = anySignal(stopped, expiry.signal);
    try {
      const done = results.linesOf(id);
      const left = linesLeft(path, done);
      await unlessStopped(signal, () => runAll(left, (line) => runLine.run(batch, line, signal), signal));
      if (stopped.aborted) return;
      if (expiry.signal.aborted) await expire(batch, path);
      batches.finalize(id, expiry.signal.aborted);
    } finally {
      window.off();
    }
  }

  async function expire({ id }: Batch, path: string): Promise<void> {
    const left = linesLeft(path, results.linesOf(id));
    for await (const line of left) runLine.expire(id, line);
  }

  async function conclude(batch: Batch): Promise<void> {
    await results.writeFiles(batch);
    batches.finish(batch.id);
    await pruneResults();
  }

  async function pruneResults(): Promise<void> {
    while (results.prune()) await new Promise(setImmediate);
  }

  const unwatch = batches.watch((id) => {
    if (id !== undefined) running.get(id)?.stop.abort(new Error('The batch was stopped'));
    look();
  });

  return {
    start(): void {
      isRunning = true;
      look();
    },
    /** Lines that wait for credits or limits try again. */
    retry: (): void => runLine.retry(),
    /** Running requests are dropped, and repeated after the next start. */
    async stop(): Promise<void> {
      isRunning = false;
      unwatch();
      clearTimeout(timer);
      closing.abort(new Error('The daemon is stopping'));
      for (const { stop } of running.values()) stop.abort(closing.signal.reason);
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}

const RETRY = Symbol('retry');

async function* linesLeft(path: string, done: ReadonlySet<number>): AsyncGenerator<Line> {
  for await (const line of readLines(path)) if (!done.has(line.number)) yield line;
}

/** A few at a time. The first error ends it, once none is running any more. */
async function runAll(
  lines: AsyncGenerator<Line>,
  run: (line: Line) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const workers = Array.from({ length: LINES_AT_ONCE }, async () => {
    for (;;) {
      const next = await lines.next();
      if (next.done || signal.aborted) return;
      await run(next.value);
    }
  });
  const outcomes = await Promise.allSettled(workers);
  await lines.return(undefined);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

/** Undefined if it was stopped. */
async function unlessStopped<Result>(
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

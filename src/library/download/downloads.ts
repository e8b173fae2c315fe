import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../base/clock.ts';
import { Failure } from '../../base/errors.ts';
import type { Log } from '../../log/log.ts';
import type { Store } from '../../store/store.ts';
import type { ModelManifest } from '../../runtime/manifest.ts';
import { servicesOf, type Plan } from '../pull/plan.ts';
import { createDownloadRows, type DownloadRow, type DownloadState } from './download-rows.ts';
import { createProgress, sum, type Progress } from './progress.ts';
import type { RunningTransfer, StartTransfer } from './start-transfer.ts';
import type { TransferJob, TransferResult } from './transfer.ts';

const WATCH_EVERY_MS = 200;

export type Downloads = ReturnType<typeof createDownloads>;
export type Download = ReturnType<typeof describe>;

export type DownloadsOptions = {
  store: Store;
  clock: Clock;
  log: Log;
  startTransfer: StartTransfer;
  /** Everything that a transfer needs; the token is read again each time. */
  jobOf: (plan: Plan) => TransferJob;
  /** For a download that is not running, how many bytes of each file are on the disk. */
  receivedOf: (plan: Plan) => number[];
  /** Called once all files are downloaded and verified. */
  install: (plan: Plan, results: readonly TransferResult[]) => Promise<void>;
  /** Deletes what a cancelled download left. */
  discard: (plan: Plan) => void;
};

type Live = { progress: Progress; transfer: RunningTransfer; row: DownloadRow; ended: Promise<void> };

/**
 * The downloads of this daemon. They run one after another, since two would share the same bandwidth. No client owns
 * them: clients attach to watch and detach again, and after a kill the next daemon resumes those that were not
 * paused.
 */
export function createDownloads(options: DownloadsOptions) {
  const { store, clock, log } = options;
  const rows = createDownloadRows({ store, clock });
  /** For downloads that are not running: their journals are read once. */
  const kept = new Map<string, number[]>();
  let live: Live | undefined;
  let closed = false;

  function next(): void {
    if (live || closed) return;
    const row = rows.nextQueued();
    if (row === undefined) return;
    const progress = createProgress(row.plan, receivedOf(row), () => clock.now());
    rows.set(row.id, 'downloading');
    kept.delete(row.id);
    const transfer = options.startTransfer(options.jobOf(row.plan), progress.note);
    const entry: Live = { progress, transfer, row, ended: Promise.resolve() };
    live = entry;
    log.info(
      { download: row.id, artifact: row.plan.manifest.id, files: row.plan.files.length },
      'download began',
    );
    entry.ended = follow(entry).finally(() => {
      if (live === entry) live = undefined;
      progress.notify();
      next();
    });
  }

  async function follow({ row, transfer }: Live): Promise<void> {
    const about = { download: row.id, artifact: row.plan.manifest.id };
    try {
      const results = await transfer.done;
      await options.install(rows.find(row.id)?.plan ?? row.plan, results);
      rows.set(row.id, 'done');
      log.info(about, 'download finished');
    } catch (error) {
      // A daemon that stops leaves the row as it is: the next one resumes it.
      if (closed || rows.find(row.id)?.state !== 'downloading') return;
      rows.set(row.id, 'failed', error);
      log.warn({ ...about, err: error }, 'download failed');
    }
  }

  function snapshot(id: string): Download | undefined {
    const row = rows.find(id);
    if (row === undefined) return undefined;
    return live?.row.id === id
      ? describe(row, live.progress.received(), live.progress)
      : describe(row, receivedOf(row));
  }

  function receivedOf({ id, plan, state }: DownloadRow): number[] {
    if (state === 'cancelled') return [];
    const received = kept.get(id) ?? options.receivedOf(plan);
    if (state === 'paused') kept.set(id, received);
    return received;
  }

  function required(id: string): Download {
    const found = snapshot(id);
    if (found) return found;
    throw new Failure('not_found', `There is no download ${id}.`, { details: { fix: 'askd pull --list' } });
  }

  /** Sets the state of a download that has not ended, and waits until its transfer has stopped. */
  async function halt(id: string, state: 'paused' | 'cancelled', failure?: Failure): Promise<void> {
    rows.set(id, state, failure);
    const running = live?.row.id === id ? live : undefined;
    await running?.transfer.stop();
    await running?.ended;
  }

  function resumeOne(id: string): Download {
    const { state, model } = required(id);
    if (state === 'paused') {
      rows.set(id, 'queued');
      next();
    } else if (isOver(state)) throw over(state, model);
    return required(id);
  }

  async function* watch(id: string, signal: AbortSignal): AsyncGenerator<Download> {
    for (;;) {
      const change = live?.row.id === id ? live.progress.change() : undefined;
      const now = required(id);
      yield now;
      if (now.state === 'paused' || isOver(now.state)) return;
      await Promise.race([change ?? sleep(WATCH_EVERY_MS), aborted(signal)]);
      await Promise.race([sleep(WATCH_EVERY_MS), aborted(signal)]);
      signal.throwIfAborted();
    }
  }

  /** Stops it and keeps what was received until somebody resumes it; a restart of the daemon does not. */
  async function pause(id: string): Promise<Download> {
    const { state, model } = required(id);
    if (isOver(state)) throw over(state, model);
    if (state !== 'paused') await halt(id, 'paused');
    return required(id);
  }

  async function cancel(id: string): Promise<Download> {
    if (isOver(required(id).state)) return required(id);
    await halt(id, 'cancelled', new Failure('download_cancelled', 'The download was cancelled.'));
    const row = rows.find(id);
    if (row) options.discard(row.plan);
    return required(id);
  }

  return {
    /** Continues the downloads that an earlier daemon left running. */
    start(): void {
      rows.requeue();
      next();
    },

    /** Joins a download of the same artifact that has not ended. */
    add(plan: Plan): Download {
      const open = rows.open(plan.manifest.id);
      if (open) return resumeOne(open.id);
      const id = rows.add(plan);
      next();
      return required(id);
    },

    /** Asking for an artifact again means that it is wanted, so a paused download resumes. */
    join: (artifactId: string, service?: string): Download | undefined => {
      const row = rows.open(artifactId);
      if (row) rows.addService(row, service);
      return row && resumeOne(row.id);
    },
    /** Downloads in progress for a service, or for an id. */
    coming: (wanted: Wanted): ModelManifest | undefined =>
      rows.coming().find(({ plan }) => isFor(plan, wanted))?.plan.manifest,
    find: required,
    list: (): Download[] => rows.list().map(({ id }) => required(id)),

    watch,
    pause,
    resume: resumeOne,
    cancel,

    async close(): Promise<void> {
      closed = true;
      await live?.transfer.stop();
      await live?.ended;
    },
  };
}

type Wanted = { service?: string; artifact?: string };

function isFor(plan: Plan, wanted: Wanted): boolean {
  const { artifact, service } = wanted;
  return plan.manifest.id === artifact || (service !== undefined && servicesOf(plan).includes(service));
}

function isOver(state: DownloadState): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled';
}

function over(state: DownloadState, model: string): Failure {
  return new Failure('invalid_value', `The download of ${model} has ended: it is ${state}.`, {
    param: 'id',
    details: { fix: `askd pull ${model}` },
  });
}

function describe(
  { id, plan, state, error, createdAt }: DownloadRow,
  received: readonly number[],
  progress?: Progress,
) {
  const { manifest, model, service, reason, files } = plan;
  const isDone = state === 'done';
  const described = files.map(({ entry }, index) => ({
    path: entry.path,
    repo: entry.repo,
    bytes: entry.bytes,
    received: isDone ? entry.bytes : (received[index] ?? 0),
    verified: isDone ? entry.bytes : (progress?.verified()[index] ?? 0),
  }));
  const total = sum(files.map(({ entry }) => entry.bytes));
  const receivedTotal = sum(described.map((file) => file.received));
  const bytesPerSecond = progress?.bytesPerSecond();
  return {
    id,
    model,
    artifact: manifest.id,
    name: manifest.name,
    licence: manifest.licence,
    service: service ?? null,
    reason: reason ?? null,
    state,
    bytesTotal: total,
    bytesReceived: receivedTotal,
    bytesVerified: sum(described.map((file) => file.verified)),
    bytesPerSecond: bytesPerSecond ?? null,
    etaSeconds: bytesPerSecond ? (total - receivedTotal) / bytesPerSecond : null,
    waiting: progress?.waiting() ?? null,
    files: described,
    error,
    createdAt,
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

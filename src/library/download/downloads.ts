import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../base/clock.ts';
import { Failure } from '../../base/errors.ts';
import type { Log } from '../../log/log.ts';
import type { Store } from '../../store/store.ts';
import type { ModelManifest } from '../../runtime/manifest.ts';
import type { Plan } from '../pull/plan.ts';
import { createDownloadRows, type DownloadRow } from './download-rows.ts';
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
  /** Everything that a transfer needs; the token is read anew each time. */
  jobOf: (plan: Plan) => TransferJob;
  /** Called once all files are downloaded and verified. */
  install: (plan: Plan, results: readonly TransferResult[]) => Promise<void>;
  /** Deletes what a cancelled download left. */
  discard: (plan: Plan) => void;
};

type Live = { progress: Progress; transfer: RunningTransfer; row: DownloadRow; ended: Promise<void> };

/**
 * The downloads of this daemon. They run one after another, since two would share the same bandwidth, and belong to
 * no client: clients attach to watch and leave again, and after a kill the next daemon resumes them.
 */
export function createDownloads(options: DownloadsOptions) {
  const { store, clock, log } = options;
  const rows = createDownloadRows({ store, clock });
  let live: Live | undefined;
  let closed = false;

  function next(): void {
    if (live || closed) return;
    const row = rows.nextQueued();
    if (row === undefined) return;
    rows.set(row.id, 'downloading');
    const progress = createProgress(row.plan, () => clock.now());
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
      await options.install(row.plan, results);
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
    return row && describe(row, live?.row.id === id ? live.progress : undefined);
  }

  function required(id: string): Download {
    const found = snapshot(id);
    if (found) return found;
    throw new Failure('not_found', `There is no download ${id}.`, { details: { fix: 'askd pull --list' } });
  }

  return {
    /** Resumes what an earlier daemon began. */
    resume(): void {
      rows.requeue();
      next();
    },

    /** Joins a running download of the same artifact. */
    add(plan: Plan): Download {
      const id = rows.open(plan.manifest.id)?.id ?? rows.add(plan);
      next();
      return required(id);
    },

    open: (artifactId: string): Download | undefined => {
      const row = rows.open(artifactId);
      return row && snapshot(row.id);
    },
    /** Downloads in progress for a service, or for an id. */
    coming: ({ service, artifact }: { service?: string; artifact?: string }): ModelManifest | undefined =>
      rows
        .allOpen()
        .map(({ plan }) => plan)
        .find((plan) => plan.manifest.id === artifact || (service !== undefined && plan.service === service))
        ?.manifest,
    find: required,
    list: (): Download[] => rows.list().map(({ id }) => required(id)),

    async *watch(id: string, signal: AbortSignal): AsyncGenerator<Download> {
      for (;;) {
        const change = live?.row.id === id ? live.progress.change() : undefined;
        const now = required(id);
        yield now;
        if (['done', 'failed', 'cancelled'].includes(now.state)) return;
        await Promise.race([change ?? sleep(WATCH_EVERY_MS), aborted(signal)]);
        await Promise.race([sleep(WATCH_EVERY_MS), aborted(signal)]);
        signal.throwIfAborted();
      }
    },

    async cancel(id: string): Promise<Download> {
      const { state } = required(id);
      if (state !== 'queued' && state !== 'downloading') return required(id);
      rows.set(id, 'cancelled', new Failure('download_cancelled', 'The download was cancelled.'));
      const running = live?.row.id === id ? live : undefined;
      await running?.transfer.stop();
      await running?.ended;
      const row = rows.find(id);
      if (row) options.discard(row.plan);
      return required(id);
    },

    async close(): Promise<void> {
      closed = true;
      await live?.transfer.stop();
      await live?.ended;
    },
  };
}

function describe({ id, plan, state, error, createdAt }: DownloadRow, progress: Progress | undefined) {
  const { manifest, model, service, reason, files } = plan;
  const isDone = state === 'done';
  const described = files.map(({ entry }, index) => ({
    path: entry.path,
    repo: entry.repo,
    bytes: entry.bytes,
    received: isDone ? entry.bytes : (progress?.received()[index] ?? 0),
    verified: isDone ? entry.bytes : (progress?.verified()[index] ?? 0),
  }));
  const total = sum(files.map(({ entry }) => entry.bytes));
  const received = sum(described.map((file) => file.received));
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
    bytesReceived: received,
    bytesVerified: sum(described.map((file) => file.verified)),
    bytesPerSecond: bytesPerSecond ?? null,
    etaSeconds: bytesPerSecond ? (total - received) / bytesPerSecond : null,
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

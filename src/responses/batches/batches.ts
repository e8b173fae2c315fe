import type { Clock } from '../../base/clock.ts';
import { Failure } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { Events } from '../../events/events.ts';
import type { Store } from '../../store/store.ts';
import { NOT_SUSPENDED } from '../../store/suspended.ts';
import type { FileOwner, Files } from '../files.ts';
import type { BatchError, Valid } from './validate.ts';

export type BatchStatus =
  | 'validating'
  | 'in_progress'
  | 'finalizing'
  | 'completed'
  | 'failed'
  | 'expired'
  | 'cancelling'
  | 'cancelled';

export type Batch = {
  id: string;
  accountId: string;
  keyId: string | null;
  inputFileId: string;
  endpoint: string;
  completionWindow: string;
  metadata: string;
  outputTtlMs: number | null;
  status: BatchStatus;
  model: string | null;
  errors: string | null;
  waiting: string | null;
  total: number;
  completed: number;
  failed: number;
  outputFileId: string | null;
  errorFileId: string | null;
  createdAt: number;
  expiresAt: number;
  inProgressAt: number | null;
  finalizingAt: number | null;
  completedAt: number | null;
  failedAt: number | null;
  expiredAt: number | null;
  cancellingAt: number | null;
  cancelledAt: number | null;
};

export type NewBatch = {
  owner: FileOwner;
  inputFileId: string;
  endpoint: string;
  metadata: Record<string, string>;
  outputTtlMs?: number | undefined;
};

export type BatchUsage = {
  promptTokens: number;
  cachedTokens: number;
  completionTokens: number;
  costN: number;
};

export type Batches = ReturnType<typeof createBatches>;

const WINDOW_MS = 24 * 3_600_000;
const OPEN_MAX = 100;

type Parts = { store: Store; events: Events; clock: Clock; files: Pick<Files, 'find'> };

/** Batches and their progress. Each change of status is one guarded statement, so that it happens once. */
export function createBatches({ store, events, clock, files }: Parts) {
  const listeners = new Set<(id?: string) => void>();
  const notify = (id?: string) => listeners.forEach((listener) => listener(id));
  const progressListeners = new Set<(id: string) => void>();
  const progressed = (id: string) => progressListeners.forEach((listener) => listener(id));

  function create({ owner, inputFileId, endpoint, metadata, outputTtlMs }: NewBatch): Batch {
    const { purpose } = files.find(inputFileId, owner, 'input_file_id');
    if (purpose !== 'batch') throw otherPurpose(inputFileId, purpose);
    const { accountId, keyId } = owner;
    const now = clock.now();
    const id = newId('batch', now);
    const { changes } = store.prepare(INSERT).run({
      ...{ id, accountId, keyId, inputFileId, endpoint, now, expiresAt: now + WINDOW_MS },
      ...{ metadata: JSON.stringify(metadata), outputTtlMs: outputTtlMs ?? null },
    });
    if (changes === 0) throw tooMany();
    notify();
    progressed(id);
    return get(id);
  }

  function get(id: string): Batch {
    const batch = store.prepare<Batch>(`${BATCHES} WHERE id = ?`).get(id);
    if (!batch) throw unknown(id);
    return batch;
  }

  function find(id: string, { accountId, keyId }: FileOwner): Batch {
    const batch = store.prepare<Batch>(`${OWN} AND id = @id`).get({ accountId, keyId, id });
    if (!batch) throw unknown(id);
    return batch;
  }

  /** Finished results are kept. The batch is cancelled once they are in its files. */
  function cancel(id: string, owner: FileOwner): Batch {
    const { status } = find(id, owner);
    const { changes } = store.prepare(CANCEL).run({ id, now: clock.now() });
    if (changes === 0 && status !== 'cancelling' && status !== 'cancelled') throw isOver(id, status);
    notify(id);
    progressed(id);
    return get(id);
  }

  /** The batches of a revoked or removed key, in the caller's transaction. */
  function cancelAllOf({ accountId, keyId }: FileOwner): void {
    const rows = store.prepare<{ id: string }>(CANCEL_ALL).all({ accountId, keyId, now: clock.now() });
    for (const { id } of rows) {
      notify(id);
      progressed(id);
    }
  }

  function begin(id: string, { total, model }: Valid): void {
    store.prepare(BEGIN).run({ id, total, model, now: clock.now() });
    progressed(id);
  }

  function fail(id: string, errors: readonly BatchError[]): void {
    store.transaction(() => {
      const { changes } = store.prepare(FAIL).run({ id, errors: JSON.stringify(errors), now: clock.now() });
      if (changes === 1) report('batch.failed', get(id));
    });
    progressed(id);
  }

  /** Every line has its result, or will get none. */
  function finalize(id: string, isExpired: boolean): void {
    const now = clock.now();
    store.prepare(FINALIZE).run({ id, now, expiredAt: isExpired ? now : null });
    progressed(id);
  }

  /** Its files are complete. */
  function finish(id: string): void {
    store.transaction(() => {
      const { changes } = store.prepare(FINISH).run({ id, now: clock.now() });
      if (changes === 0) return;
      const batch = get(id);
      if (batch.status === 'completed') report('batch.completed', batch);
      if (batch.status === 'expired') report('batch.expired', batch);
      if (batch.status === 'cancelled') report('batch.cancelled', batch);
    });
    progressed(id);
  }

  function report(type: Report, { id, accountId, endpoint, model, total, completed, failed }: Batch): void {
    const data = { id, endpoint, model, request_counts: { total, completed, failed } };
    events.record(type, data, accountId);
  }

  return {
    create,
    get,
    find,
    cancel,
    cancelAllOf,
    begin,
    fail,
    finalize,
    finish,
    /** Newest last. */
    list: ({ accountId, keyId }: FileOwner): Batch[] =>
      store.prepare<Batch>(`${OWN} ORDER BY created_at, id`).all({ accountId, keyId }),
    /** The batches to work on, oldest first. */
    open: (): Batch[] => store.prepare<Batch>(OPEN).all(),
    /** The batches of a suspended account: running requests are stopped, and repeated later. */
    hold(accountId: string): void {
      for (const { id } of store.prepare<{ id: string }>(OPEN_OF).all(accountId)) notify(id);
    },
    /** An account was resumed. */
    release: (): void => notify(),
    usageOf: (id: string): BatchUsage => store.prepare<BatchUsage>(USAGE).get(id) as BatchUsage,
    /** Why no line is running; null once one is. */
    waitsFor(id: string, waiting: string | null): void {
      store.prepare('UPDATE batches SET waiting = @waiting WHERE id = @id').run({ id, waiting });
      progressed(id);
    },
    /** One of its requests is done. */
    progressed,
    /** Called when anything shown about a batch may have changed. */
    onProgress(listener: (id: string) => void): () => void {
      progressListeners.add(listener);
      return () => void progressListeners.delete(listener);
    },
    /** Called when there may be more to do, and with the id of a batch that stops. */
    watch(listener: (id?: string) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** A batch reads its file until it has ended. */
export function refuseInputOfBatch(store: Store, fileId: string): void {
  const batch = store.prepare<{ id: string }>(READING).get(fileId);
  if (!batch) return;
  throw new Failure(
    'file_in_use',
    `The batch ${batch.id} still reads this file. Wait until it is complete, or cancel it: askd batch cancel ${batch.id}`,
    { param: 'file_id' },
  );
}

type Report = 'batch.completed' | 'batch.failed' | 'batch.expired' | 'batch.cancelled';

function otherPurpose(id: string, purpose: string): Failure {
  return new Failure(
    'invalid_value',
    `The file ${id} was uploaded for "${purpose}". Upload it again with the purpose "batch".`,
    { param: 'input_file_id' },
  );
}

function tooMany(): Failure {
  return new Failure(
    'rate_limit_exceeded',
    `${OPEN_MAX} batches are open. Wait until one is complete, or cancel one: askd batch list`,
    { retryAfterSeconds: 60 },
  );
}

function unknown(id: string): Failure {
  return new Failure('not_found', `There is no batch "${id}". List them: askd batch list`, {
    param: 'batch_id',
  });
}

function isOver(id: string, status: BatchStatus): Failure {
  return new Failure('invalid_value', `The batch ${id} is ${status} and cannot be cancelled.`, {
    param: 'batch_id',
  });
}

const BATCHES = `
  SELECT id, account_id AS accountId, key_id AS keyId, input_file_id AS inputFileId, endpoint,
    completion_window AS completionWindow, metadata, output_ttl_ms AS outputTtlMs, status, model, errors, waiting, total,
    completed, failed, output_file_id AS outputFileId, error_file_id AS errorFileId, created_at AS createdAt,
    expires_at AS expiresAt, in_progress_at AS inProgressAt, finalizing_at AS finalizingAt,
    completed_at AS completedAt, failed_at AS failedAt, expired_at AS expiredAt, cancelling_at AS cancellingAt,
    cancelled_at AS cancelledAt
  FROM batches`;

const OWN = `${BATCHES} WHERE account_id = @accountId AND (@keyId IS NULL OR key_id = @keyId)`;

const IS_OPEN = `status IN ('validating', 'in_progress', 'finalizing', 'cancelling')`;

const OPEN = `${BATCHES} WHERE ${IS_OPEN} AND ${NOT_SUSPENDED} ORDER BY created_at, id`;

const OPEN_OF = `SELECT id FROM batches WHERE ${IS_OPEN} AND account_id = ?`;

const READING = `SELECT id FROM batches WHERE ${IS_OPEN} AND input_file_id = ?`;

const INSERT = `
  INSERT INTO batches(id, account_id, key_id, input_file_id, endpoint, completion_window, metadata, output_ttl_ms,
    status, created_at, expires_at)
  SELECT @id, @accountId, @keyId, @inputFileId, @endpoint, '24h', @metadata, @outputTtlMs, 'validating', @now, @expiresAt
  WHERE (SELECT count(*) FROM batches WHERE account_id = @accountId AND ${IS_OPEN}) < ${OPEN_MAX}`;

const BEGIN = `
  UPDATE batches SET status = 'in_progress', total = @total, model = @model, in_progress_at = @now
  WHERE id = @id AND status = 'validating'`;

const FAIL = `
  UPDATE batches SET status = 'failed', errors = @errors, failed_at = @now, waiting = NULL
  WHERE id = @id AND status IN ('validating', 'in_progress')`;

const CANCELLING = `
  UPDATE batches SET status = 'cancelling', cancelling_at = @now, waiting = NULL
  WHERE status IN ('validating', 'in_progress')`;
const CANCEL = `${CANCELLING} AND id = @id`;
const CANCEL_ALL = `${CANCELLING} AND account_id = @accountId AND key_id = @keyId RETURNING id`;

const FINALIZE = `
  UPDATE batches SET status = 'finalizing', finalizing_at = @now, expired_at = @expiredAt, waiting = NULL
  WHERE id = @id AND status = 'in_progress'`;

const FINISH = `
  UPDATE batches SET waiting = NULL,
    status = CASE WHEN status = 'cancelling' THEN 'cancelled' WHEN expired_at IS NULL THEN 'completed' ELSE 'expired' END,
    cancelled_at = CASE WHEN status = 'cancelling' THEN @now END,
    completed_at = CASE WHEN status = 'finalizing' AND expired_at IS NULL THEN @now END
  WHERE id = @id AND status IN ('finalizing', 'cancelling')`;

const USAGE = `
  SELECT coalesce(sum(prompt_tokens), 0) AS promptTokens, coalesce(sum(cached_tokens), 0) AS cachedTokens,
    coalesce(sum(completion_tokens), 0) AS completionTokens, coalesce(sum(cost_n), 0) AS costN
  FROM usage WHERE batch_id = ?`;

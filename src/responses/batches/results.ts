import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Store } from '../../store/store.ts';
import type { Files } from '../files.ts';
import type { Batch } from './batches.ts';
import { readLines } from './lines.ts';

export type Result = { line: number; isError: boolean; text: string };

export type Results = ReturnType<typeof createResults>;

const READ_AT_ONCE = 100;
const DELETED_AT_ONCE = 1000;

type Parts = { store: Store; files: Pick<Files, 'add' | 'pathOf'>; folder: string };

/** A request that failed. It has no status if it was never sent. */
export type FailedRequest = {
  custom_id: string;
  status: number | null;
  code: string | null;
  message: string;
};

/** The results of a batch until its files are written, and those files. */
export function createResults({ store, files, folder }: Parts) {
  /** In the transaction of its charge. A second result for a line is a bug, and rolls that transaction back. */
  function keep(batchId: string, { line, isError, text }: Result): void {
    store.prepare(INSERT).run({ batchId, line, isError: Number(isError), text });
    store.prepare(COUNT).run({ batchId, isError: Number(isError) });
  }

  /** At most two files, in the order of the requests. A file that exists is not written again. */
  async function writeFiles(batch: Batch): Promise<void> {
    if (batch.outputFileId === null) await writeFile(batch, false);
    if (batch.errorFileId === null) await writeFile(batch, true);
  }

  async function writeFile(batch: Batch, isError: boolean): Promise<void> {
    const { id, accountId, keyId, outputTtlMs } = batch;
    const bytes = store.prepare<{ bytes: number }>(BYTES).get(id, Number(isError))?.bytes ?? 0;
    if (bytes === 0) return;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, `${id}-${isError ? 'errors' : 'output'}`);
    await pipeline(() => textsOf(id, isError), createWriteStream(path, { mode: 0o600 }));
    const name = `${id}_${isError ? 'error' : 'output'}.jsonl`;
    try {
      await files.add({
        ...{ owner: { accountId, keyId }, path, name, purpose: 'batch_output', bytes },
        ttlMs: outputTtlMs ?? undefined,
        alongside: (fileId) => void store.prepare(isError ? SET_ERRORS : SET_OUTPUT).run(fileId, id),
      });
    } finally {
      await rm(path, { force: true });
    }
  }

  function* textsOf(id: string, isError: boolean): Generator<string> {
    for (let after = 0; ;) {
      const rows = store
        .prepare<{ line: number; text: string }>(TEXTS)
        .all({ id, isError: Number(isError), after });
      for (const { text } of rows) yield `${text}\n`;
      const last = rows.at(-1);
      if (!last) return;
      after = last.line;
    }
  }

  /** The first ones, even while the batch is running. */
  async function failuresOf({ id, errorFileId }: Batch, limit: number): Promise<FailedRequest[]> {
    const texts = errorFileId === null ? keptErrors(id, limit) : await firstLines(errorFileId, limit);
    return texts.map(toFailedRequest);
  }

  function keptErrors(id: string, limit: number): string[] {
    const rows = store.prepare<{ text: string }>(ERRORS).all(id, limit);
    return rows.map(({ text }) => text);
  }

  async function firstLines(fileId: string, limit: number): Promise<string[]> {
    const texts: string[] = [];
    for await (const { text } of readLines(await files.pathOf(fileId))) {
      texts.push(text);
      if (texts.length === limit) break;
    }
    return texts;
  }

  return {
    keep,
    writeFiles,
    failuresOf,
    linesOf: (id: string): Set<number> =>
      new Set(
        store
          .prepare<{ line: number }>(LINES)
          .all(id)
          .map(({ line }) => line),
      ),
    /** For batches that have ended. True if there may be more. */
    prune: (): boolean => store.prepare(PRUNE).run().changes === DELETED_AT_ONCE,
  };
}

type ErrorLine = {
  custom_id: string;
  response: { status_code: number; body: { error?: ErrorText } | null } | null;
  error: ErrorText | null;
};
type ErrorText = { code?: string | null; message?: string };

function toFailedRequest(text: string): FailedRequest {
  const { custom_id, response, error } = JSON.parse(text) as ErrorLine;
  const { code = null, message = '' } = error ?? response?.body?.error ?? {};
  return { custom_id, status: response?.status_code ?? null, code, message };
}

const INSERT = `
  INSERT INTO batch_results(batch_id, line, is_error, text) VALUES(@batchId, @line, @isError, @text)`;

const COUNT = `
  UPDATE batches SET completed = completed + 1 - @isError, failed = failed + @isError WHERE id = @batchId`;

const LINES = 'SELECT line FROM batch_results WHERE batch_id = ?';

const BYTES = `
  SELECT coalesce(sum(octet_length(text) + 1), 0) AS bytes FROM batch_results WHERE batch_id = ? AND is_error = ?`;

const TEXTS = `
  SELECT line, text FROM batch_results WHERE batch_id = @id AND is_error = @isError AND line > @after
  ORDER BY line LIMIT ${READ_AT_ONCE}`;

const ERRORS = `
  SELECT text FROM batch_results WHERE batch_id = ? AND is_error = 1 ORDER BY line LIMIT ?`;

const SET_OUTPUT = 'UPDATE batches SET output_file_id = ? WHERE id = ?';
const SET_ERRORS = 'UPDATE batches SET error_file_id = ? WHERE id = ?';

const PRUNE = `
  DELETE FROM batch_results WHERE rowid IN (
    SELECT result.rowid FROM batch_results result JOIN batches ON batches.id = batch_id
    WHERE status IN ('completed', 'failed', 'expired', 'cancelled') LIMIT ${DELETED_AT_ONCE})`;

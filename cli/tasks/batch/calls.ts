import {
  cancelBatch,
  createBatch,
  getBatch,
  listBatches,
  type Batch,
  type NewBatch,
} from '../../../src/api/tasks/batches.ts';
import { getFileContent, uploadFile } from '../../../src/api/tasks/files.ts';
import type { Http } from '../../../src/api/http/http.ts';

/** A large file is copied before the first byte comes. */
const SLOW = { silenceMsMax: 15 * 60_000 };

/** The client's methods for batches and their files. */
export function batchCalls({ call, bytes }: Http) {
  return {
    upload: (file: string) => call(uploadFile, { form: { file, fields: { purpose: 'batch' } }, ...SLOW }),
    create: (body: NewBatch) => call(createBatch, { body }),
    list: (limit: number) => call(listBatches, { query: { limit } }),
    find: (id: string): Promise<Batch> => call(getBatch, { params: { batch_id: id } }),
    cancel: (id: string): Promise<Batch> => call(cancelBatch, { params: { batch_id: id } }),
    content: (file: string) => bytes(getFileContent, { params: { file_id: file }, ...SLOW }),
  };
}

export type BatchCalls = ReturnType<typeof batchCalls>;

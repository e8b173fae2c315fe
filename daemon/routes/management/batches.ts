import {
  cancelAccountBatch,
  getBatchResults,
  listAccountBatches,
  listBatchFailures,
  type AccountBatch,
} from '../../../src/api/management/batches.ts';
import { Failure } from '../../../src/base/errors.ts';
import type { Batch } from '../../../src/responses/batches/batches.ts';
import { page } from '../../../src/responses/items.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';
import { sendFile } from '../../http/send-file.ts';
import { toBatch } from '../../status/batch-records.ts';

/** The batches of all keys, for the owner. */
export function registerBatchControl(register: RegisterRoute, services: Services): void {
  const { batches, batchResults, files } = services;
  const ownerOf = (principal: { accountId: string }) => ({ accountId: principal.accountId, keyId: null });
  const shown = (batch: Batch): AccountBatch => ({
    ...toBatch(batch, batches.usageOf(batch.id)),
    key_id: batch.keyId,
  });

  register(listAccountBatches, ({ query, principal }) => {
    const { data, ...list } = page(batches.list(ownerOf(principal)), query);
    return { ...list, data: data.map(shown) };
  });

  register(cancelAccountBatch, ({ params: { id = '' }, principal }) =>
    shown(batches.cancel(id, ownerOf(principal))),
  );

  register(listBatchFailures, async ({ params: { id = '' }, query: { limit = 20 }, principal }) => ({
    data: await batchResults.failuresOf(batches.find(id, ownerOf(principal)), limit),
  }));

  register(
    getBatchResults,
    async ({ params: { id = '' }, query: { part = 'answers' }, principal, reply }) => {
      const owner = ownerOf(principal);
      const { outputFileId, errorFileId } = batches.find(id, owner);
      const fileId = part === 'answers' ? outputFileId : errorFileId;
      if (fileId === null) throw new Failure('not_found', `The batch ${id} has no ${part} file.`);
      const { name, bytes } = files.find(fileId, owner);
      return sendFile(reply, { content: await files.open(fileId), bytes, name });
    },
  );
}

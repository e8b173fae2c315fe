import { cancelBatch, createBatch, getBatch, listBatches } from '../../../src/api/tasks/batches.ts';
import type { Batch } from '../../../src/responses/batches/batches.ts';
import { page } from '../../../src/responses/items.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';
import { toBatch } from '../../status/batch-records.ts';

/** Batches. Each belongs to the key that created it. */
export function registerBatches(register: RegisterRoute, { batches }: Services): void {
  const shown = (batch: Batch) => toBatch(batch, batches.usageOf(batch.id));

  register(createBatch, ({ body, principal }) => {
    const { input_file_id: inputFileId, endpoint, metadata = {}, output_expires_after: expiry } = body;
    const outputTtlMs = expiry && expiry.seconds * 1000;
    return shown(batches.create({ owner: principal, inputFileId, endpoint, metadata, outputTtlMs }));
  });

  register(listBatches, ({ query, principal }) => {
    const { data, ...list } = page(batches.list(principal), query);
    return { ...list, data: data.map(shown) };
  });

  register(getBatch, ({ params: { batch_id: id = '' }, principal }) => shown(batches.find(id, principal)));

  register(cancelBatch, ({ params: { batch_id: id = '' }, principal }) =>
    shown(batches.cancel(id, principal)),
  );
}

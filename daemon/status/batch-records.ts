import type { Batch, BatchError } from '../../src/api/tasks/batches.ts';
import { toCredits } from '../../src/base/money.ts';
import type { Batch as StoredBatch, BatchUsage } from '../../src/responses/batches/batches.ts';

export function toBatch(batch: StoredBatch, usage: BatchUsage): Batch {
  const { total, completed, failed, errors, metadata } = batch;
  const { promptTokens, cachedTokens, completionTokens, costN } = usage;
  return {
    id: batch.id,
    object: 'batch',
    endpoint: batch.endpoint,
    model: batch.model,
    errors: errors === null ? null : { object: 'list', data: JSON.parse(errors) as BatchError[] },
    input_file_id: batch.inputFileId,
    completion_window: batch.completionWindow,
    status: batch.status,
    waiting: batch.waiting,
    output_file_id: batch.outputFileId,
    error_file_id: batch.errorFileId,
    created_at: seconds(batch.createdAt),
    in_progress_at: secondsOrNull(batch.inProgressAt),
    expires_at: seconds(batch.expiresAt),
    finalizing_at: secondsOrNull(batch.finalizingAt),
    completed_at: secondsOrNull(batch.completedAt),
    failed_at: secondsOrNull(batch.failedAt),
    expired_at: secondsOrNull(batch.expiredAt),
    cancelling_at: secondsOrNull(batch.cancellingAt),
    cancelled_at: secondsOrNull(batch.cancelledAt),
    request_counts: { total, completed, failed },
    usage: {
      input_tokens: promptTokens,
      input_tokens_details: { cached_tokens: cachedTokens },
      output_tokens: completionTokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: promptTokens + completionTokens,
    },
    cost: toCredits(costN),
    metadata: JSON.parse(metadata) as Record<string, string>,
  };
}

const seconds = (ms: number) => Math.floor(ms / 1000);
const secondsOrNull = (ms: number | null) => (ms === null ? null : seconds(ms));

import type { Batch, BatchError } from '../../../src/api/tasks/batches.ts';
import { formatCount, formatMoney } from '../../output/format.ts';
import { sanitiseLine } from '../../output/sanitise.ts';

const ERRORS_SHOWN = 10;

/** Files that already have its results. */
type Written = { answers?: string | undefined; errors?: string | undefined };

/** A batch in words. */
export function batchText(batch: Batch, written: Written = {}): string {
  const { id, status, endpoint, model, waiting, cost, errors } = batch;
  const lines = [
    `${id}: ${status.replace('_', ' ')}`,
    `${endpoint}${model === null ? '' : ` with ${sanitiseLine(model)}`}`,
    `${countsText(batch)}, ${formatMoney(cost)} credits`,
    waiting !== null && `waiting: ${sanitiseLine(waiting)}`,
    ...(errors?.data ?? []).slice(0, ERRORS_SHOWN).map(errorText),
    batch.output_file_id !== null &&
      `answers: ${written.answers ?? `askd batch show ${id} --output > answers.jsonl`}`,
    batch.error_file_id !== null &&
      `failed requests: ${written.errors ?? `askd batch show ${id} --errors > errors.jsonl`}`,
  ];
  return lines.filter((line) => line !== false).join('\n');
}

export function countsText({ request_counts: { total, completed, failed } }: Batch): string {
  return `${completed} of ${formatCount(total, 'request')} done${failed > 0 ? `, ${failed} failed` : ''}`;
}

export function errorText({ line, code, message }: BatchError): string {
  return `${line === null ? '' : `line ${line}: `}${sanitiseLine(message)} (${code})`;
}

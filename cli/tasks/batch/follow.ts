import { setTimeout as sleep } from 'node:timers/promises';
import type { Batch } from '../../../src/api/tasks/batches.ts';
import { sanitiseLine } from '../../output/sanitise.ts';
import type { Context } from '../../context.ts';
import { createProgress } from '../text/progress.ts';
import type { BatchCalls } from './calls.ts';

const LOOK_EVERY_MS = 500;
const OVER: readonly string[] = ['completed', 'failed', 'expired', 'cancelled'];

type Follower = Pick<Context, 'io' | 'output' | 'signal'>;

/** Shows the progress of a batch until it ends. Interrupting this leaves the batch running. */
export async function follow(calls: BatchCalls, id: string, context: Follower): Promise<Batch> {
  const { output, signal } = context;
  const progress = createProgress(context);
  let noted: string | null = null;
  try {
    for (;;) {
      const batch = await calls.find(id);
      const { total, completed, failed } = batch.request_counts;
      if (total > 0) progress.show(completed + failed, total);
      if (OVER.includes(batch.status)) return batch;
      if (batch.waiting !== noted && batch.waiting !== null) {
        progress.end();
        output.note(`waiting: ${sanitiseLine(batch.waiting)}`);
      }
      noted = batch.waiting;
      await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  } catch (error) {
    progress.end();
    if (signal.aborted) output.note(`The batch continues. To see it: askd batch show ${id}`);
    throw error;
  } finally {
    progress.end();
  }
}

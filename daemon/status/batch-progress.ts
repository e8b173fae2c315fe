import type { RecordedEvent } from '../../src/api/management/events.ts';
import { toIso, type Clock } from '../../src/base/clock.ts';
import { newId } from '../../src/base/ids.ts';
import type { Batches } from '../../src/responses/batches/batches.ts';
import { toBatch } from './batch-records.ts';

const REPORT_EVERY_MS = 500;

type Parts = { batches: Batches; clock: Clock };

/**
 * Reports the progress of batches, each at most twice a second, however many of their requests are done. Unlike other
 * events these are not recorded: the next one says everything that an earlier one did.
 */
export function followBatches({ batches, clock }: Parts, ring: () => void) {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let dueAt = 0;
  const unlisten = batches.onProgress((id) => {
    changed.add(id);
    ringWhenDue();
  });

  function ringWhenDue(): void {
    timer ??= setTimeout(due, Math.max(0, dueAt - performance.now())).unref();
  }

  function due(): void {
    timer = undefined;
    ring();
  }

  function toEvent(batchId: string): RecordedEvent {
    const { id, endpoint, model, status, waiting, request_counts, cost } = toBatch(
      batches.get(batchId),
      batches.usageOf(batchId),
    );
    const now = clock.now();
    return {
      ...{ topic: 'batch', id: newId('evt', now), type: 'batch.progress', created_at: toIso(now) },
      data: { id, endpoint, model, status, waiting, request_counts, cost },
    };
  }

  return {
    take(): RecordedEvent[] {
      if (changed.size === 0) return [];
      if (performance.now() < dueAt) {
        // A timer can fire a little early, or may have been set for an earlier report.
        ringWhenDue();
        return [];
      }
      dueAt = performance.now() + REPORT_EVERY_MS;
      const ids = [...changed];
      changed.clear();
      return ids.map(toEvent);
    },
    close(): void {
      unlisten();
      clearTimeout(timer);
    },
  };
}

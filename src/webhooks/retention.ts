import type { Clock } from '../base/clock.ts';
import type { Store } from '../store/store.ts';
import type { Queue } from './queue.ts';

export const KEPT_MS = 30 * 24 * 3_600_000;
const ROWS_MAX = 500;

/**
 * Deletes everything older than thirty days, and the remains of deleted endpoints, in small batches. Resolves to
 * whether there is more.
 */
export function createRetention({ store, clock, queue }: { store: Store; clock: Clock; queue: Queue }) {
  return (): boolean => {
    queue.expireHeld();
    return store.relaxedTransaction(() => {
      const before = clock.now() - KEPT_MS;
      const steps: readonly [sql: string, parameters: object][] = [
        [DELETE_OF_REMOVED, {}],
        [DELETE_REMOVED, {}],
        [DELETE_OLD_DELIVERIES, { before }],
        [DELETE_OLD_EVENTS, { before }],
      ];
      return steps.some(([sql, parameters]) => store.prepare(sql).run(parameters).changes >= ROWS_MAX);
    });
  };
}

const DELETE_OF_REMOVED = `
  DELETE FROM webhook_deliveries WHERE (endpoint_id, sequence) IN (
    SELECT endpoint_id, sequence FROM webhook_deliveries
    WHERE endpoint_id IN (SELECT id FROM webhook_endpoints WHERE deleted_at IS NOT NULL) LIMIT ${ROWS_MAX})`;

const DELETE_REMOVED = `
  DELETE FROM webhook_endpoints WHERE deleted_at IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM webhook_deliveries WHERE endpoint_id = webhook_endpoints.id)`;

const DELETE_OLD_DELIVERIES = `
  DELETE FROM webhook_deliveries WHERE (endpoint_id, sequence) IN (
    SELECT endpoint_id, delivery.sequence FROM webhook_deliveries delivery
    JOIN events event ON event.sequence = delivery.sequence
    WHERE event.created_at < @before ORDER BY delivery.sequence LIMIT ${ROWS_MAX})`;

/** Events that have not been fanned out yet are kept, however old. */
const DELETE_OLD_EVENTS = `
  DELETE FROM events WHERE sequence IN (
    SELECT sequence FROM events event
    WHERE created_at < @before AND sequence <= (SELECT cursor FROM webhook_progress)
      AND NOT EXISTS (SELECT 1 FROM webhook_deliveries delivery WHERE delivery.sequence = event.sequence)
    ORDER BY sequence LIMIT ${ROWS_MAX})`;

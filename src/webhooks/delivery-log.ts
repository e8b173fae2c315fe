import { toIso } from '../base/clock.ts';
import type { Store } from '../store/store.ts';
import { isoOrNull } from './endpoint-row.ts';
import { eventBody } from './send.ts';

export type DeliveryState = 'pending' | 'delivered' | 'failed' | 'expired';

type DeliveryRow = {
  sequence: number;
  id: string;
  type: string;
  created_at: number;
  data: string;
  state: DeliveryState;
  next_at: number | null;
  finished_at: number | null;
};

type AttemptRow = {
  cause: 'schedule' | 'resend' | 'test';
  started_at: number;
  duration_ms: number;
  status: number | null;
  error: string | null;
  snippet: string;
};

export type Page = { state?: DeliveryState; before?: string; limit: number };

export type DeliveryLog = ReturnType<typeof createDeliveryLog>;

/** The deliveries of an endpoint and their outcomes. */
export function createDeliveryLog({ store }: { store: Store }) {
  function list(endpointId: string, { state, before, limit }: Page) {
    const rows = store.prepare<DeliveryRow & { attempts: number }>(LIST).all({
      endpointId,
      state: state ?? null,
      before: before ?? null,
      limit: limit + 1,
    });
    const deliveries = rows.slice(0, limit).map((row) => ({ ...toDelivery(row), attempts: row.attempts }));
    return { deliveries, has_more: rows.length > limit };
  }

  function find(endpointId: string, eventId: string) {
    const row = store.prepare<DeliveryRow>(FIND).get({ endpointId, eventId });
    if (!row) return undefined;
    const attempts = store.prepare<AttemptRow>(ATTEMPTS).all(endpointId, row.sequence).map(toAttempt);
    const data = JSON.parse(row.data) as Record<string, unknown>;
    return { ...toDelivery(row), attempts, data, body: eventBody(row) };
  }

  function countPending(): number {
    return store.prepare<{ n: number }>(PENDING).get()?.n ?? 0;
  }

  return { list, find, countPending };
}

function toDelivery(row: DeliveryRow) {
  return {
    event_id: row.id,
    type: row.type,
    timestamp: toIso(row.created_at),
    state: row.state,
    next_attempt_at: isoOrNull(row.next_at),
    finished_at: isoOrNull(row.finished_at),
  };
}

function toAttempt({ cause, started_at: at, duration_ms, status, error, snippet }: AttemptRow) {
  return { cause, started_at: toIso(at), duration_ms, status, error, snippet };
}

const COLUMNS = `event.sequence, event.id, event.type, event.created_at, event.data,
  delivery.state, delivery.next_at, delivery.finished_at`;

const LIST = `
  SELECT ${COLUMNS}, (SELECT count(*) FROM webhook_attempts attempt
    WHERE attempt.endpoint_id = delivery.endpoint_id AND attempt.sequence = delivery.sequence) AS attempts
  FROM webhook_deliveries delivery JOIN events event ON event.sequence = delivery.sequence
  WHERE delivery.endpoint_id = @endpointId AND (@state IS NULL OR delivery.state = @state)
    AND (@before IS NULL OR delivery.sequence < (SELECT sequence FROM events WHERE id = @before))
  ORDER BY delivery.sequence DESC LIMIT @limit`;

const FIND = `
  SELECT ${COLUMNS} FROM webhook_deliveries delivery JOIN events event ON event.sequence = delivery.sequence
  WHERE delivery.endpoint_id = @endpointId AND event.id = @eventId`;

const ATTEMPTS = `SELECT * FROM webhook_attempts WHERE endpoint_id = ? AND sequence = ? ORDER BY id`;

const PENDING = `SELECT count(*) AS n FROM webhook_deliveries WHERE state = 'pending'`;

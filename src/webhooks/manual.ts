import type { Clock } from '../base/clock.ts';
import { Failure } from '../base/errors.ts';
import type { Events } from '../events/events.ts';
import type { Store } from '../store/store.ts';
import type { EndpointRow } from './endpoint-row.ts';
import type { Endpoints } from './endpoints.ts';
import type { Queue } from './queue.ts';
import type { AttemptResult } from './retry.ts';
import type { SentEvent } from './send.ts';

const TESTS_PER_MINUTE = 10;

export type ManualOptions = {
  store: Store;
  events: Events;
  clock: Clock;
  endpoints: Endpoints;
  queue: Queue;
  send: (endpoint: EndpointRow, event: SentEvent, signal: AbortSignal) => Promise<AttemptResult>;
};

export type Manual = ReturnType<typeof createManual>;

/** Attempts that a person requests and waits for, sent and guarded like all others. */
export function createManual({ store, events, clock, endpoints, queue, send }: ManualOptions) {
  const recent = new Map<string, number[]>();

  /** Sends an event again, whatever its outcome so far; its schedule is unchanged. */
  async function resend(endpoint: EndpointRow, eventId: string, signal: AbortSignal): Promise<void> {
    limit(endpoint.id);
    const found = store.prepare<SentEvent & { sequence: number }>(DELIVERED_EVENT).get(endpoint.id, eventId);
    if (!found) {
      throw new Failure(
        'not_found',
        `The webhook ${endpoint.id} has no delivery of the event "${eventId}". List them: askd webhooks deliveries ${endpoint.id}`,
        { param: 'event_id' },
      );
    }
    const result = await send(endpoint, found, signal);
    queue.finishExtra({ endpointId: endpoint.id, sequence: found.sequence, cause: 'resend', result });
  }

  /** An event for this endpoint only. It counts as failed until it has arrived, and is not retried. */
  async function test(accountId: string, id: string, signal: AbortSignal): Promise<string> {
    const endpoint = endpoints.rowOf(accountId, id);
    limit(id);
    const now = clock.now();
    const event = store.transaction(() => {
      const eventId = events.record('webhook.test', { webhook_id: id, name: endpoint.name }, accountId);
      const recorded = store.prepare<SentEvent & { sequence: number }>(EVENT).get(eventId);
      if (!recorded) throw new Error('The test event is gone');
      store.prepare(INSERT_TEST).run({ id, sequence: recorded.sequence, now });
      return recorded;
    });
    const result = await send(endpoint, event, signal);
    queue.finishExtra({ endpointId: id, sequence: event.sequence, cause: 'test', result });
    return event.id;
  }

  /** Rate-limited, so that this machine cannot be used to flood others. */
  function limit(id: string): void {
    const now = clock.now();
    const lately = (recent.get(id) ?? []).filter((at) => now - at < 60_000);
    if (lately.length >= TESTS_PER_MINUTE) {
      throw new Failure(
        'rate_limit_exceeded',
        `A webhook accepts ${TESTS_PER_MINUTE} manual deliveries per minute. Try again in a minute.`,
        { retryAfterSeconds: Math.max(1, Math.ceil(((lately[0] ?? now) + 60_000 - now) / 1000)) },
      );
    }
    recent.set(id, [...lately, now]);
  }

  return { resend, test };
}

const DELIVERED_EVENT = `
  SELECT event.* FROM events event JOIN webhook_deliveries delivery ON delivery.sequence = event.sequence
  WHERE delivery.endpoint_id = ? AND event.id = ?`;

const EVENT = 'SELECT * FROM events WHERE id = ?';

const INSERT_TEST = `
  INSERT INTO webhook_deliveries(endpoint_id, sequence, state, finished_at) VALUES(@id, @sequence, 'failed', @now)`;

import type { Clock } from '../base/clock.ts';
import type { Store } from '../store/store.ts';
import type { EndpointRow } from './endpoint-row.ts';
import { classifyOutcome, type AttemptResult, type Verdict } from './retry.ts';
import type { SentEvent } from './send.ts';

const FAN_OUT_ROWS_MAX = 2_000;
/** While nobody subscribes, the cursor is stored only this often, so that events cost nothing. */
const CURSOR_LAG_MAX = 500;
export const DISABLE_AFTER_ONLINE_MS = 5 * 24 * 3_600_000;
export const DISABLE_AFTER_FAILURES = 10;
/** How long deliveries that fall due while an endpoint is disabled are kept. */
export const HELD_MS = 24 * 3_600_000;

export type Queue = ReturnType<typeof createQueue>;

export type Due = { sequence: number; attempts: number; nextAt: number };

export type Attempted = { endpointId: string; due: Due; result: AttemptResult };

export type Disabled = { id: string; accountId: string; name: string; reason: 'gone' | 'failing' };

export type QueueOptions = {
  store: Store;
  clock: Clock;
  waitsMs: readonly number[];
  random?: () => number;
};

/**
 * Which deliveries are due, and when. Every step is one transaction, and a step that a power cut undoes is simply
 * repeated. Nothing stored says that a delivery is in flight: only the sending process knows, so if it dies, the
 * delivery is due again.
 */
export function createQueue({ store, clock, waitsMs, random = Math.random }: QueueOptions) {
  let cursor = store.prepare<{ cursor: number }>('SELECT cursor FROM webhook_progress').get()?.cursor ?? 0;
  let writtenCursor = cursor;

  /** Turns the next events into deliveries; `isBehind` when there are more. */
  function fanOut(): { endpoints: Set<string>; isBehind: boolean } {
    const { latest, count } = store.prepare<{ latest: number; count: number }>(POSITION).get() ?? none;
    if (latest <= cursor) return { endpoints: new Set(), isBehind: false };
    const until =
      count === 0 ? latest : Math.min(latest, cursor + Math.max(1, Math.floor(FAN_OUT_ROWS_MAX / count)));
    const endpoints = count === 0 ? new Set<string>() : insertDeliveries(until);
    cursor = until;
    return { endpoints, isBehind: latest > until };
  }

  /** Fans out everything recorded so far, before the subscriptions change. */
  function catchUp(): void {
    while (fanOut().isBehind);
    if (cursor === writtenCursor) return;
    store.relaxedTransaction(() => store.prepare('UPDATE webhook_progress SET cursor = ?').run(cursor));
    writtenCursor = cursor;
  }

  function insertDeliveries(until: number): Set<string> {
    return store.relaxedTransaction(() => {
      const now = clock.now();
      const inserted = store.prepare<{ endpoint_id: string }>(FAN_OUT).all({ after: cursor, until, now });
      if (inserted.length > 0 || until - writtenCursor >= CURSOR_LAG_MAX) {
        store.prepare('UPDATE webhook_progress SET cursor = ?').run(until);
        writtenCursor = until;
      }
      return new Set(inserted.map((row) => row.endpoint_id));
    });
  }

  /** The next deliveries of an endpoint, earliest first, including future ones. */
  function next(endpointId: string, limit: number): Due[] {
    return store.prepare<Due>(NEXT).all(endpointId, limit);
  }

  function eventOf(sequence: number): SentEvent {
    const event = store.prepare<SentEvent>(EVENT).get(sequence);
    if (!event) throw new Error(`The event ${sequence} of a delivery is gone`);
    return event;
  }

  /** Stores the outcomes of attempts; resolves to the endpoints that were disabled by them. */
  function finish(attempted: readonly Attempted[]): Disabled[] {
    return store.relaxedTransaction(() => attempted.flatMap((each) => finishOne(each)));
  }

  function finishOne({ endpointId, due, result }: Attempted): Disabled[] {
    const attempts = due.attempts + 1;
    const verdict = classifyOutcome({ result, attempts, waitsMs, random: random() });
    record({ endpointId, sequence: due.sequence, cause: 'schedule', result });
    const endedAt = result.startedAt + result.durationMs;
    const nextAt = verdict.state === 'pending' ? endedAt + verdict.waitMs : null;
    const finishedAt = verdict.state === 'pending' ? null : endedAt;
    store
      .prepare(SETTLE)
      .run({ endpointId, sequence: due.sequence, state: verdict.state, attempts, nextAt, finishedAt });
    attemptsBy[verdict.state] += 1;
    return noteHealth(endpointId, verdict, endedAt);
  }

  /** Since the daemon started, by the state that an attempt led to. */
  const attemptsBy = { delivered: 0, failed: 0, pending: 0 };

  function noteHealth(id: string, verdict: Verdict, now: number): Disabled[] {
    if (verdict.state === 'delivered') {
      store.prepare(SUCCEEDED).run({ id, now });
      return [];
    }
    store.prepare(FAILED).run({ id, now });
    const isGone = verdict.state === 'failed' && verdict.isGone;
    const disabled = store.prepare<EndpointRow>(isGone ? DISABLE_GONE : DISABLE_FAILING).get({ id, now });
    if (!disabled) return [];
    const { account_id: accountId, name } = disabled;
    return [{ id, accountId, name, reason: isGone ? 'gone' : 'failing' }];
  }

  type Recording = {
    endpointId: string;
    sequence: number;
    cause: 'schedule' | 'resend' | 'test';
    result: AttemptResult;
  };

  function record({ endpointId, sequence, cause, result }: Recording): void {
    const { startedAt, durationMs, status, error, snippet } = result;
    store
      .prepare(RECORD_ATTEMPT)
      .run({ endpointId, sequence, cause, startedAt, durationMs, status, error, snippet });
  }

  /** Stores a manual attempt. It can complete a delivery, but otherwise leaves its schedule alone. */
  function finishExtra(extra: Recording): void {
    store.relaxedTransaction(() => {
      record(extra);
      const { endpointId, sequence, result } = extra;
      if (classifyOutcome({ result, attempts: 0, waitsMs, random: 0 }).state !== 'delivered') return;
      const now = result.startedAt + result.durationMs;
      store.prepare(DELIVERED_EXTRA).run({ endpointId, sequence, now });
      store.prepare(SUCCEEDED).run({ id: endpointId, now });
    });
  }

  /** Queues everything again that has not arrived since a given time: failed, expired, and never queued events. */
  function replay(endpointId: string, sinceMs: number): number {
    const { changes } = store.transaction(() =>
      store.prepare(REPLAY).run({ endpointId, since: sinceMs, cursor, now: clock.now() }),
    );
    return changes;
  }

  /** Drops deliveries that a disabled endpoint has held for longer than a day. */
  function expireHeld(): number {
    const now = clock.now();
    return store.relaxedTransaction(() => store.prepare(EXPIRE).run({ now, before: now - HELD_MS }).changes);
  }

  /** Only time during which this machine was online counts against a receiver. */
  function addOnlineTime(ms: number): void {
    store.relaxedTransaction(() =>
      store.prepare('UPDATE webhook_progress SET online_ms = online_ms + ?').run(ms),
    );
  }

  return {
    fanOut,
    catchUp,
    next,
    eventOf,
    finish,
    finishExtra,
    replay,
    expireHeld,
    addOnlineTime,
    attemptsBy,
  };
}

const none = { latest: 0, count: 0 };

const POSITION = `
  SELECT (SELECT coalesce(max(sequence), 0) FROM events) AS latest,
    (SELECT count(*) FROM webhook_endpoints WHERE deleted_at IS NULL) AS count`;

/** An account gets only its own events. */
const WANTED = `event.account_id = endpoint.account_id
    AND EXISTS (SELECT 1 FROM json_each(endpoint.events) WHERE value = event.type)`;

const FAN_OUT = `
  INSERT INTO webhook_deliveries(endpoint_id, sequence, state, next_at)
  SELECT endpoint.id, event.sequence, 'pending', @now
  FROM events event JOIN webhook_endpoints endpoint
    ON endpoint.deleted_at IS NULL AND event.sequence > endpoint.events_after AND ${WANTED}
  WHERE event.sequence > @after AND event.sequence <= @until
  ON CONFLICT DO NOTHING RETURNING endpoint_id`;

const NEXT = `
  SELECT sequence, attempts, next_at AS nextAt FROM webhook_deliveries
  WHERE endpoint_id = ? AND state = 'pending' ORDER BY next_at, sequence LIMIT ?`;

const EVENT = 'SELECT id, type, created_at, data FROM events WHERE sequence = ?';

/** A delivery may have been deleted while it was in flight. */
const RECORD_ATTEMPT = `
  INSERT INTO webhook_attempts(endpoint_id, sequence, cause, started_at, duration_ms, status, error, snippet)
  SELECT endpoint_id, sequence, @cause, @startedAt, @durationMs, @status, @error, @snippet
  FROM webhook_deliveries WHERE endpoint_id = @endpointId AND sequence = @sequence`;

const SETTLE = `
  UPDATE webhook_deliveries SET state = @state, attempts = @attempts, next_at = @nextAt, finished_at = @finishedAt
  WHERE endpoint_id = @endpointId AND sequence = @sequence AND state = 'pending'`;

const DELIVERED_EXTRA = `
  UPDATE webhook_deliveries SET state = 'delivered', next_at = NULL, finished_at = @now
  WHERE endpoint_id = @endpointId AND sequence = @sequence AND state <> 'delivered'`;

const SUCCEEDED = `
  UPDATE webhook_endpoints SET failures = 0, failing_since = NULL, failing_since_online_ms = NULL,
    last_success_at = @now
  WHERE id = @id`;

const FAILED = `
  UPDATE webhook_endpoints SET failures = failures + 1, failing_since = coalesce(failing_since, @now),
    failing_since_online_ms = coalesce(failing_since_online_ms, (SELECT online_ms FROM webhook_progress))
  WHERE id = @id`;

const DISABLE_GONE = `
  UPDATE webhook_endpoints SET is_enabled = 0, disabled_reason = 'gone', updated_at = max(@now, updated_at + 1)
  WHERE id = @id AND is_enabled = 1 AND listener_port IS NULL
  RETURNING account_id, name`;

const DISABLE_FAILING = `
  UPDATE webhook_endpoints SET is_enabled = 0, disabled_reason = 'failing', updated_at = max(@now, updated_at + 1)
  WHERE id = @id AND is_enabled = 1 AND listener_port IS NULL AND failures >= ${DISABLE_AFTER_FAILURES}
    AND (SELECT online_ms FROM webhook_progress) - failing_since_online_ms >= ${DISABLE_AFTER_ONLINE_MS}
  RETURNING account_id, name`;

const REPLAY = `
  INSERT INTO webhook_deliveries(endpoint_id, sequence, state, next_at)
  SELECT endpoint.id, event.sequence, 'pending', @now
  FROM events event JOIN webhook_endpoints endpoint ON endpoint.id = @endpointId AND ${WANTED}
  WHERE event.created_at >= @since AND event.sequence <= @cursor
  ON CONFLICT DO UPDATE SET state = 'pending', attempts = 0, next_at = @now, finished_at = NULL
  WHERE state IN ('failed', 'expired')`;

const EXPIRE = `
  UPDATE webhook_deliveries SET state = 'expired', next_at = NULL, finished_at = @now
  WHERE state = 'pending' AND next_at < @before
    AND endpoint_id IN (SELECT id FROM webhook_endpoints WHERE is_enabled = 0)`;

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEvents } from '../../../src/events/events.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { createQueue, HELD_MS, type Queue } from '../../../src/webhooks/queue.ts';
import { createRetention, KEPT_MS } from '../../../src/webhooks/retention.ts';
import type { AttemptResult } from '../../../src/webhooks/retry.ts';
import { settableClock } from '../../helpers/clock.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const waitsMs = [5_000, 300_000, 1_800_000, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR)];
const ENDPOINTS = ['wh_a', 'wh_b'];

type Answer = Partial<Pick<AttemptResult, 'status' | 'error' | 'retryAfterMs'>>;
type Step =
  | { do: 'record' }
  | { do: 'wait'; ms: number }
  | { do: 'attempt'; endpoint: string; answer: Answer }
  | { do: 'enable'; endpoint: string }
  | { do: 'disable'; endpoint: string }
  | { do: 'replay'; endpoint: string; agoMs: number }
  | { do: 'prune' }
  | { do: 'crash' };

type Row = { endpoint_id: string; sequence: number; state: string; attempts: number; next_at: number | null };

const endpoint = fc.constantFrom(...ENDPOINTS);
const answer: fc.Arbitrary<Answer> = fc.oneof(
  fc.constantFrom(200, 204, 302, 404, 410, 500, 503).map((status) => ({ status })),
  fc.integer({ min: 0, max: 100_000 }).map((seconds) => ({ status: 429, retryAfterMs: seconds * 1000 })),
  fc.constantFrom('timeout' as const, 'connection_refused' as const).map((error) => ({ error })),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Step>({ do: 'record' }) },
  { weight: 4, arbitrary: fc.nat({ max: 12 * HOUR }).map((ms): Step => ({ do: 'wait', ms })) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('attempt' as const), endpoint, answer }) },
  {
    weight: 1,
    arbitrary: fc.oneof(
      fc.record({ do: fc.constant('enable' as const), endpoint }),
      fc.record({ do: fc.constant('disable' as const), endpoint }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('replay' as const), endpoint, agoMs: fc.nat({ max: 3 * DAY }) }),
  },
  { weight: 1, arbitrary: fc.constantFrom<Step>({ do: 'prune' }, { do: 'crash' }) },
);

/** A queue over a real database, and what its observer sees. */
function openWorld() {
  const clock = settableClock();
  const store = openStore(':memory:');
  const events = createEvents({ store, clock });
  for (const id of ENDPOINTS) insertEndpoint(store, id);
  const world = { clock, store, events, queue: createQueue({ store, clock, waitsMs }), recorded: 0 };
  return { ...world, restart: () => createQueue({ store, clock, waitsMs }) };
}

function insertEndpoint(store: Store, id: string): void {
  store
    .prepare(
      `INSERT INTO webhook_endpoints(id, account_id, name, url, events, secret, events_after, created_at, updated_at)
       VALUES(?, 'acct_local', ?, 'https://example.com/', '["api_key.deleted"]', x'00', 0, 0, 0)`,
    )
    .run(id, id);
}

function result(at: number, given: Answer): AttemptResult {
  const { status = null, error = null, retryAfterMs = null } = given;
  return { startedAt: at, durationMs: 10, status, error, retryAfterMs, snippet: '' };
}

const isEnabled = (store: Store, id: string): boolean =>
  store.prepare<{ is_enabled: number }>('SELECT is_enabled FROM webhook_endpoints WHERE id = ?').get(id)
    ?.is_enabled === 1;

const rowsOf = (store: Store): Row[] => store.prepare<Row>('SELECT * FROM webhook_deliveries').all();

test('thirty days of any events lose nothing, and send nothing early or twice', () => {
  fc.assert(fc.property(fc.array(step, { minLength: 20, maxLength: 120 }), live), { numRuns: 60 });
});

/** Takes these steps in a separate world, and checks the invariants after each. */
function live(steps: readonly Step[]): void {
  const world = openWorld();
  const { clock, store } = world;
  let queue: Queue = world.queue;
  let recorded = 0;
  const delivered = new Set<string>();
  const notBefore = new Map<string, number>();
  const startedAt = clock.now();
  for (const each of steps) {
    if (clock.now() - startedAt > KEPT_MS) break;
    takeStep(each);
    queue.catchUp();
    check();
  }
  settle();
  store.close();

  function takeStep(each: Step): void {
    if (each.do === 'record') {
      store.transaction(() =>
        world.events.record('api_key.deleted', { id: 'k', name: String(++recorded), key_prefix: 'p' }),
      );
    } else if (each.do === 'wait') pass(each.ms);
    else if (each.do === 'attempt') attempt(each.endpoint, each.answer);
    else if (each.do === 'replay') replay(each.endpoint, each.agoMs);
    else if (each.do === 'prune') createRetention({ store, clock, queue })();
    else if (each.do === 'crash') queue = world.restart();
    else if (each.do === 'enable' || each.do === 'disable') {
      store
        .prepare('UPDATE webhook_endpoints SET is_enabled = ?, disabled_reason = NULL WHERE id = ?')
        .run(Number(each.do === 'enable'), each.endpoint);
    }
  }

  function pass(ms: number): void {
    clock.advance(ms);
    queue.addOnlineTime(ms);
  }

  function replay(id: string, agoMs: number): void {
    queue.replay(id, clock.now() - agoMs);
    for (const key of [...notBefore.keys()]) if (key.startsWith(id)) notBefore.delete(key);
  }

  function attempt(id: string, given: Answer): void {
    if (!isEnabled(store, id)) return;
    const [due] = queue.next(id, 1);
    if (!due || due.nextAt > clock.now()) return;
    const key = `${id} ${due.sequence}`;
    expect(delivered.has(key), 'a delivered event is not sent again').toBe(false);
    expect(clock.now(), 'an attempt waits for its time').toBeGreaterThanOrEqual(notBefore.get(key) ?? 0);
    queue.finish([{ endpointId: id, due, result: result(clock.now(), given) }]);
    if (given.status !== undefined && given.status !== null && given.status < 300) delivered.add(key);
    else notBefore.set(key, clock.now() + 0.8 * (waitsMs[due.attempts] ?? 0));
  }

  function check(): void {
    const rows = rowsOf(store);
    expect(rows, 'everyone is owed every event exactly once').toHaveLength(recorded * ENDPOINTS.length);
    for (const row of rows) {
      const key = `${row.endpoint_id} ${row.sequence}`;
      expect(row.state === 'delivered', 'delivered stays delivered').toBe(delivered.has(key));
      expect(row.attempts).toBeLessThanOrEqual(waitsMs.length + 1);
      if (row.state === 'pending') {
        const latest = clock.now() + 2 * 1.2 * Math.max(...waitsMs) + 10;
        expect(row.next_at, 'no wait is longer than twice its plan').toBeLessThanOrEqual(latest);
      }
    }
  }

  /** All endpoints work again: everything still due arrives. */
  function settle(): void {
    for (const id of ENDPOINTS) takeStep({ do: 'enable', endpoint: id });
    for (let turn = 0; rowsOf(store).some(({ state }) => state === 'pending'); turn++) {
      expect(turn).toBeLessThan(5_000);
      const before = rowsOf(store).filter(({ state }) => state === 'pending').length;
      for (const id of ENDPOINTS) attempt(id, { status: 200 });
      if (rowsOf(store).filter(({ state }) => state === 'pending').length === before) pass(6 * HOUR);
    }
    const states = new Set(rowsOf(store).map(({ state }) => state));
    expect([...states].filter((state) => !['delivered', 'failed', 'expired'].includes(state))).toEqual([]);
  }
}

test('an endpoint that fails for five days is switched off, and not sooner', () => {
  const { clock, store, events, queue } = openWorld();
  const off: number[] = [];
  const startedAt = clock.now();
  while (off.length === 0 && clock.now() - startedAt < 30 * DAY) {
    store.transaction(() => events.record('api_key.deleted', { id: 'k', name: 'n', key_prefix: 'p' }));
    queue.catchUp();
    for (const due of queue.next('wh_a', 100).filter(({ nextAt }) => nextAt <= clock.now())) {
      const disabled = queue.finish([
        { endpointId: 'wh_a', due, result: result(clock.now(), { status: 500 }) },
      ]);
      if (disabled.length > 0) off.push(clock.now() - startedAt);
    }
    clock.advance(HOUR);
    queue.addOnlineTime(HOUR);
  }
  expect(off).toHaveLength(1);
  expect(off[0]).toBeGreaterThanOrEqual(5 * DAY);
  expect(off[0]).toBeLessThan(5 * DAY + 2 * HOUR);
});

test('time while this machine was off or offline does not count against a receiver', () => {
  const { clock, store, events, queue } = openWorld();
  store.transaction(() => events.record('api_key.deleted', { id: 'k', name: 'n', key_prefix: 'p' }));
  queue.catchUp();
  for (let day = 0; day < 12; day++) {
    const [due] = queue.next('wh_a', 1);
    if (due) queue.finish([{ endpointId: 'wh_a', due, result: result(clock.now(), { status: 500 }) }]);
    clock.advance(2 * DAY);
    queue.addOnlineTime(HOUR);
  }
  expect(isEnabled(store, 'wh_a')).toBe(true);
});

test('a delivery due to a paused endpoint is kept for a day', () => {
  const { clock, store, events, queue } = openWorld();
  store.prepare('UPDATE webhook_endpoints SET is_enabled = 0').run();
  store.transaction(() => events.record('api_key.deleted', { id: 'k', name: 'n', key_prefix: 'p' }));
  queue.catchUp();
  clock.advance(HELD_MS);
  expect(queue.expireHeld()).toBe(0);
  clock.advance(1);
  expect(queue.expireHeld()).toBe(2);
  expect(rowsOf(store).map(({ state }) => state)).toEqual(['expired', 'expired']);
});

import { setMaxListeners } from 'node:events';
import type { Clock } from '../base/clock.ts';
import type { Store } from '../store/store.ts';
import { NOT_SUSPENDED } from '../store/suspended.ts';
import type { Connectivity } from './connectivity.ts';
import type { EndpointRow } from './endpoint-row.ts';
import { createDeliverySlots } from './delivery-slots.ts';
import type { Attempted, Disabled, Due, Queue } from './queue.ts';
import type { AttemptResult } from './retry.ts';
import type { SentEvent } from './send.ts';

/** Events within this time are fanned out together. */
const GATHER_MS = 20;
/** If the clock jumps further than this between two ticks, the machine was asleep. */
const LOOK_EVERY_MS = 30_000;
/** The wait before a receiver is retried after our own network failed. */
const LOST_WAIT_MS = 15_000;

export type Worker = ReturnType<typeof createWorker>;

export type WorkerOptions = {
  store: Store;
  queue: Queue;
  clock: Clock;
  connectivity: Connectivity;
  send: (endpoint: EndpointRow, event: SentEvent, signal: AbortSignal) => Promise<AttemptResult>;
  onDisabled: (disabled: Disabled) => void;
  onBug: (error: unknown) => void;
};

type EndpointState = {
  sending: Map<number, Promise<void>>;
  lookAgainAt: number;
  /** Not before this time: our own network failed. */
  lostUntil: number;
};

/**
 * Sends what is due. Every endpoint has its own queue and slots, so that a receiver that hangs does not delay others;
 * outcomes are stored in batches.
 */
export function createWorker(options: WorkerOptions) {
  const { store, queue, clock, connectivity } = options;
  const states = new Map<string, EndpointState>();
  const slots = createDeliverySlots();
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  let finished: Attempted[] = [];
  let timer: NodeJS.Timeout | undefined;
  let timerAt = Infinity;
  let lastLookAt = clock.now();
  let isRunning = false;

  /** Something new may be due: for one endpoint, or for any. */
  function wake(endpointId?: string): void {
    if (endpointId === undefined) for (const state of states.values()) state.lookAgainAt = 0;
    else stateOf(endpointId).lookAgainAt = 0;
    lookIn(GATHER_MS);
  }

  /** An event was recorded. Its transaction has committed by the time a timer runs. */
  const wakeForEvent = (): void => lookIn(GATHER_MS);

  function lookIn(delayMs: number): void {
    const at = performance.now() + delayMs;
    if (!isRunning || at >= timerAt) return;
    clearTimeout(timer);
    timerAt = at;
    timer = setTimeout(() => {
      timerAt = Infinity;
      try {
        look();
      } catch (error) {
        options.onBug(error);
        lookIn(LOOK_EVERY_MS);
      }
    }, delayMs);
  }

  function look(): void {
    noteTime();
    writeDown();
    const { endpoints, isBehind } = queue.fanOut();
    for (const id of endpoints) stateOf(id).lookAgainAt = 0;
    if (isBehind) lookIn(0);
    const now = clock.now();
    let nextAt = now + LOOK_EVERY_MS;
    for (const endpoint of store.prepare<EndpointRow>(ENABLED).all()) {
      const state = stateOf(endpoint.id);
      if (state.lookAgainAt <= now) state.lookAgainAt = serve(endpoint, state, now);
      nextAt = Math.min(nextAt, state.lookAgainAt);
    }
    lookIn(Math.max(GATHER_MS, nextAt - now));
  }

  /**
   * Starts what is due while there are slots; returns when to check again. A full queue is checked when a slot is
   * free.
   */
  function serve(endpoint: EndpointRow, state: EndpointState, now: number): number {
    if (state.lostUntil > now) return state.lostUntil;
    const free = slots.free(state.sending.size, endpoint.failures);
    if (free === 0) return Infinity;
    const candidates = queue
      .next(endpoint.id, state.sending.size + free)
      .filter(({ sequence }) => !state.sending.has(sequence));
    const due = candidates.filter(({ nextAt }) => nextAt <= now).slice(0, free);
    for (const each of due) start(endpoint, state, each);
    if (due.length === free) return Infinity;
    return candidates[due.length]?.nextAt ?? Infinity;
  }

  function start(endpoint: EndpointRow, state: EndpointState, due: Due): void {
    slots.take();
    const attempt = run(endpoint, state, due).finally(() => slots.give());
    state.sending.set(due.sequence, attempt);
  }

  async function run(endpoint: EndpointRow, state: EndpointState, due: Due): Promise<void> {
    try {
      const result = await options.send(endpoint, queue.eventOf(due.sequence), ending.signal);
      if (connectivity.counts(new URL(endpoint.url).host, result, clock.now())) {
        finished.push({ endpointId: endpoint.id, due, result });
        state.lookAgainAt = 0;
        lookIn(1);
        return;
      }
    } catch (error) {
      if (!ending.signal.aborted) options.onBug(error);
    }
    state.sending.delete(due.sequence);
    state.lostUntil = clock.now() + LOST_WAIT_MS;
    state.lookAgainAt = 0;
    lookIn(LOST_WAIT_MS);
  }

  /** A delivery counts as in flight until its outcome is stored. */
  function writeDown(): void {
    if (finished.length === 0) return;
    const written = finished;
    for (const disabled of queue.finish(written)) options.onDisabled(disabled);
    finished = [];
    for (const { endpointId, due } of written) stateOf(endpointId).sending.delete(due.sequence);
  }

  /** Waits until nothing is in flight, including what started in the meantime, and stores the outcomes. */
  async function settled(): Promise<void> {
    let sending = underWay();
    while (sending.length > 0) {
      await Promise.all(sending);
      writeDown();
      sending = underWay();
    }
  }

  const underWay = () => [...states.values()].flatMap(({ sending }) => [...sending.values()]);

  function noteTime(): void {
    const now = clock.now();
    const passed = now - lastLookAt;
    if (passed < 1_000 && passed >= 0) return;
    lastLookAt = now;
    if (passed > 0 && passed <= 2 * LOOK_EVERY_MS && !connectivity.isOffline) queue.addOnlineTime(passed);
  }

  function stateOf(id: string): EndpointState {
    const state = states.get(id) ?? { sending: new Map(), lookAgainAt: 0, lostUntil: 0 };
    states.set(id, state);
    return state;
  }

  return {
    start(): void {
      isRunning = true;
      lookIn(0);
    },
    isRunning: () => isRunning,
    wake,
    wakeForEvent,
    settled,
    /** Aborts what is in flight; outcomes that have arrived are stored. */
    async stop(): Promise<void> {
      isRunning = false;
      ending.abort(new Error('The daemon is stopping'));
      clearTimeout(timer);
      await settled();
    },
  };
}

const ENABLED = `
  SELECT * FROM webhook_endpoints WHERE is_enabled = 1 AND deleted_at IS NULL AND ${NOT_SUSPENDED}`;

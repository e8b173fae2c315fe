import type { Clock } from '../base/clock.ts';
import { Failure } from '../base/errors.ts';
import { admit } from './admission.ts';
import { createAlarm } from './long-timer.ts';
import { createLoads, insufficientMemory, type LoadOptions } from './loads.ts';
import { openLease, type Asking, type Lease } from './lease.ts';
import type { ModelManifest } from './manifest.ts';
import {
  createPlace,
  describePlace,
  expiryOf,
  isForgettable,
  isIdle,
  isOpen,
  toHolding,
  turnEndOf,
  type LeaveReason,
  type Place,
} from './pool-entry.ts';
import type { Runner } from './runner.ts';
import { waitForRunner } from './wait.ts';

export type PoolOptions = LoadOptions & {
  /** Requests that a model serves at the same time. */
  slotsOf: (manifest: ModelManifest) => number;
  /** Requests that may wait for a model beside those. */
  queueMax: number;
  /** How long an unused model stays in memory. */
  keepAliveMs: number;
  /** How long a request waits for its model to be in memory. */
  waitMs: number;
  /** How long a model serves newcomers after its load before it makes room for one that waits. */
  turnMs: number;
  clock: Clock;
};

/** How long to keep a model that somebody loads on purpose. */
export type Keep = { isPinned?: boolean; keepAliveMs?: number };

export type Pool = ReturnType<typeof createPool>;

/**
 * The models in memory. Each is loaded once however many ask for it, in the order of asking. Who needs room makes unused
 * models leave first, then those in use, after their requests.
 */
export function createPool(options: PoolOptions) {
  const { clock, turnMs, queueMax, waitMs, slotsOf, keepAliveMs } = options;
  const places = new Set<Place>();
  const closing = new AbortController();
  const all = () => [...places];
  const loads = createLoads({ ...options, places: all, settle, closing: closing.signal });
  const alarm = createAlarm({ clock, ring: settle });
  /** Those whose waiters need a load first, in order of arrival. */
  let wishes: Place[] = [];
  /** What somebody chose for a model holds until it is stopped or has expired: a crash or an eviction does not end it. */
  const keeps = new Map<string, Keep>();

  function placeOf(manifest: ModelManifest): Place {
    closing.signal.throwIfAborted();
    const named = all().filter((place) => place.manifest.id === manifest.id);
    const known = named.find((place) => isSame(place.manifest, manifest));
    for (const place of named) if (place !== known) leave(place, 'replaced');
    if (known) return known;
    const place = createPlace({ manifest, slots: slotsOf(manifest), queueMax, keepAliveMs, clock });
    Object.assign(place, keeps.get(manifest.id));
    places.add(place);
    return place;
  }

  /** Waits until the model is in memory, and keeps it there until the lease is given back. */
  async function lease(manifest: ModelManifest, signal: AbortSignal): Promise<Lease> {
    signal.throwIfAborted();
    return openLease({ place: placeOf(manifest), runnerOf, settle, clock, signal });
  }

  function runnerOf(place: Place, { signal, isWelcome, onGrant }: Asking): Promise<Runner> | Runner {
    if (isWelcome && place.runner) {
      onGrant();
      return place.runner;
    }
    if (place.state !== 'loading' && !wishes.includes(place)) wishes.push(place);
    const ahead = () => Math.max(0, wishes.indexOf(place));
    const waiting = waitForRunner({ place, signal, waitMs, onGrant, ahead });
    settle();
    return waiting;
  }

  /** Brings everything in line with what is wanted at this moment. Called after every change. */
  function settle(): void {
    if (closing.signal.aborted) return;
    const nowMs = clock.now();
    for (const place of places) review(place, nowMs);
    wishes = wishes.filter(({ waiters }) => waiters.length > 0);
    decide(nowMs);
    for (const place of places) {
      if (isOpen(place)) for (const waiter of [...place.waiters]) waiter.grant(place.runner as Runner);
      if (isIdle(place) && place.leaving) void loads.end(place, place.leaving);
      if (isForgettable(place)) places.delete(place);
    }
    wishes = wishes.filter(({ waiters, state }) => waiters.length > 0 && state !== 'loading');
    alarm.set(nextChange(nowMs));
  }

  /** Whom eviction asked to leave is asked anew each time: who needed the room may be gone. */
  function review(place: Place, nowMs: number): void {
    if (place.leaving === 'evicted' && place.state === 'loaded') place.leaving = undefined;
    const expiry = expiryOf(place);
    if (expiry === undefined || expiry > nowMs) return;
    place.leaving = 'expired';
    keeps.delete(place.manifest.id);
  }

  function decide(nowMs: number): void {
    const waiting = wishes.filter(({ state }) => state === 'absent');
    const needs = new Map(waiting.map((place) => [place, loads.plan(place)]));
    const holding = all().filter(({ state }) => state !== 'absent');
    const decision = admit({
      wishes: [...needs].map(([key, need]) => ({ key, need })),
      holdings: holding.map((place) => toHolding(place, { nowMs, turnMs })),
      budget: options.budget(),
    });
    for (const place of decision.yield) place.leaving ??= 'evicted';
    for (const { key, need, have } of decision.refuse) {
      for (const { refuse } of [...key.waiters]) refuse(insufficientMemory(key.manifest, need, have));
    }
    for (const place of decision.start) loads.begin(place, needs.get(place) ?? place.bytes);
  }

  /** When something happens by itself: a model expires, or its turn is over while another waits. */
  function nextChange(nowMs: number): number | undefined {
    const turns = wishes.length === 0 ? [] : all().map((place) => turnEndOf(place, turnMs));
    const times = [...all().map(expiryOf), ...turns.filter((at) => at > nowMs)];
    const known = times.filter((at) => at !== undefined);
    return known.length === 0 ? undefined : Math.min(...known);
  }

  /** It takes no newcomers any more and leaves with its last user; one that loads does so when it has loaded. */
  function leave(place: Place, reason: LeaveReason): void {
    if (place.state === 'absent') return;
    Object.assign(place, { isPinned: false, keepAliveMs, leaving: reason });
    settle();
  }

  async function stop(id: string): Promise<boolean> {
    keeps.delete(id);
    const named = all().filter(({ manifest, state }) => manifest.id === id && state !== 'absent');
    const gone = named.map((place) => new Promise<void>((resolve) => place.onGone.push(resolve)));
    for (const place of named) leave(place, 'stopped');
    await Promise.all(gone);
    return named.length > 0;
  }

  return {
    lease,
    /** A lease for those who need nothing but a slot. */
    async slot(manifest: ModelManifest, signal: AbortSignal) {
      const held = await lease(manifest, signal);
      const end = () => held[Symbol.dispose]();
      try {
        return { runner: await held.slot(signal), [Symbol.dispose]: end };
      } catch (error) {
        end();
        throw error;
      }
    },
    stop,
    /** Loads it now, and keeps it as long as is said. */
    async load(manifest: ModelManifest, keep: Keep, signal: AbortSignal): Promise<void> {
      const held = await lease(manifest, signal);
      keeps.set(manifest.id, { ...keeps.get(manifest.id), ...keep });
      Object.assign(placeOf(manifest), keep);
      held[Symbol.dispose]();
    },
    status: () => all().map(describePlace),
    async close(): Promise<void> {
      const reason = new Failure('shutting_down', 'The daemon is stopping.');
      closing.abort(reason);
      alarm.off();
      for (const { waiters } of places) for (const { refuse } of [...waiters]) refuse(reason);
      const inMemory = all().filter(({ state }) => state !== 'absent');
      await Promise.all(inMemory.map((place) => place.moving ?? loads.end(place, 'stopped')));
    },
  };
}

/** Another file, or another model to guess for it, is another model to load. */
function isSame(a: ModelManifest, b: ModelManifest): boolean {
  return a.path === b.path && a.draft?.path === b.draft?.path;
}

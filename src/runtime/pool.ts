import type { Clock } from '../base/clock.ts';
import { Failure } from '../base/errors.ts';
import { admit } from './admission.ts';
import { createLongTimer } from './long-timer.ts';
import { createLoads, insufficientMemory, type LoadOptions } from './loads.ts';
import { openLease, type Asking, type Lease } from './lease.ts';
import type { ModelManifest } from './manifest.ts';
import {
  createPoolEntry,
  describePoolEntry,
  expiryOf,
  isForgettable,
  isIdle,
  isOpen,
  toHolding,
  turnEndOf,
  type LeaveReason,
  type PoolEntry,
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
  const entries = new Set<PoolEntry>();
  const closing = new AbortController();
  const all = () => [...entries];
  const loads = createLoads({ ...options, entries: all, settle, closing: closing.signal });
  const timer = createLongTimer({ clock, ring: settle });
  /** Those whose waiters need a load first, in order of arrival. */
  let requests: PoolEntry[] = [];
  /** What somebody chose for a model holds until it is stopped or has expired: a crash or an eviction does not end it. */
  const keeps = new Map<string, Keep>();

  function entryOf(manifest: ModelManifest): PoolEntry {
    closing.signal.throwIfAborted();
    const named = all().filter((entry) => entry.manifest.id === manifest.id);
    const known = named.find((entry) => isSame(entry.manifest, manifest));
    for (const entry of named) if (entry !== known) leave(entry, 'replaced');
    if (known) return known;
    const entry = createPoolEntry({ manifest, slots: slotsOf(manifest), queueMax, keepAliveMs, clock });
    Object.assign(entry, keeps.get(manifest.id));
    entries.add(entry);
    return entry;
  }

  /** Waits until the model is in memory, and keeps it there until the lease is given back. */
  async function lease(manifest: ModelManifest, signal: AbortSignal): Promise<Lease> {
    signal.throwIfAborted();
    return openLease({ entry: entryOf(manifest), runnerOf, settle, clock, signal });
  }

  function runnerOf(entry: PoolEntry, { signal, isWelcome, onGrant }: Asking): Promise<Runner> | Runner {
    if (isWelcome && entry.runner) {
      onGrant();
      return entry.runner;
    }
    if (entry.state !== 'loading' && !requests.includes(entry)) requests.push(entry);
    const ahead = () => Math.max(0, requests.indexOf(entry));
    const waiting = waitForRunner({ entry, signal, waitMs, onGrant, ahead });
    settle();
    return waiting;
  }

  /** Brings everything in line with what is wanted at this moment. Called after every change. */
  function settle(): void {
    if (closing.signal.aborted) return;
    const nowMs = clock.now();
    for (const entry of entries) review(entry, nowMs);
    requests = requests.filter(({ waiters }) => waiters.length > 0);
    decide(nowMs);
    for (const entry of entries) {
      if (isOpen(entry)) for (const waiter of [...entry.waiters]) waiter.grant(entry.runner as Runner);
      if (isIdle(entry) && entry.leaving) void loads.end(entry, entry.leaving);
      if (isForgettable(entry)) entries.delete(entry);
    }
    requests = requests.filter(({ waiters, state }) => waiters.length > 0 && state !== 'loading');
    timer.set(nextChange(nowMs));
  }

  /** Whom eviction asked to leave is asked anew each time: who needed the room may be gone. */
  function review(entry: PoolEntry, nowMs: number): void {
    if (entry.leaving === 'evicted' && entry.state === 'loaded') entry.leaving = undefined;
    const expiry = expiryOf(entry);
    if (expiry === undefined || expiry > nowMs) return;
    entry.leaving = 'expired';
    keeps.delete(entry.manifest.id);
  }

  function decide(nowMs: number): void {
    const waiting = requests.filter(({ state }) => state === 'absent');
    const needs = new Map(waiting.map((entry) => [entry, loads.plan(entry)]));
    const holding = all().filter(({ state }) => state !== 'absent');
    const decision = admit({
      requests: [...needs].map(([key, need]) => ({ key, need })),
      holdings: holding.map((entry) => toHolding(entry, { nowMs, turnMs })),
      budget: options.budget(),
    });
    for (const entry of decision.yield) entry.leaving ??= 'evicted';
    for (const { key, need, have } of decision.refuse) {
      for (const { refuse } of [...key.waiters]) refuse(insufficientMemory(key.manifest, need, have));
    }
    for (const entry of decision.start) loads.begin(entry, needs.get(entry) ?? entry.bytes);
  }

  /** When something happens by itself: a model expires, or its turn is over while another waits. */
  function nextChange(nowMs: number): number | undefined {
    const turns = requests.length === 0 ? [] : all().map((entry) => turnEndOf(entry, turnMs));
    const times = [...all().map(expiryOf), ...turns.filter((at) => at > nowMs)];
    const known = times.filter((at) => at !== undefined);
    return known.length === 0 ? undefined : Math.min(...known);
  }

  /** It takes no newcomers any more and leaves with its last user; one that loads does so when it has loaded. */
  function leave(entry: PoolEntry, reason: LeaveReason): void {
    if (entry.state === 'absent') return;
    Object.assign(entry, { isPinned: false, keepAliveMs, leaving: reason });
    settle();
  }

  async function stop(id: string): Promise<boolean> {
    keeps.delete(id);
    const named = all().filter(({ manifest, state }) => manifest.id === id && state !== 'absent');
    const gone = named.map((entry) => new Promise<void>((resolve) => entry.onGone.push(resolve)));
    for (const entry of named) leave(entry, 'stopped');
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
      Object.assign(entryOf(manifest), keep);
      held[Symbol.dispose]();
    },
    status: () => all().map(describePoolEntry),
    async close(): Promise<void> {
      const reason = new Failure('shutting_down', 'The daemon is stopping.');
      closing.abort(reason);
      timer.off();
      for (const { waiters } of entries) for (const { refuse } of [...waiters]) refuse(reason);
      const inMemory = all().filter(({ state }) => state !== 'absent');
      await Promise.all(inMemory.map((entry) => entry.moving ?? loads.end(entry, 'stopped')));
    },
  };
}

/** Another file, or another model to guess for it, is another model to load. */
function isSame(a: ModelManifest, b: ModelManifest): boolean {
  return a.path === b.path && a.draft?.path === b.draft?.path;
}

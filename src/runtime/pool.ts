import type { Clock } from '../base/clock.ts';
import { Failure } from '../base/errors.ts';
import { admit } from './memory/admission.ts';
import { createLongTimer } from './long-timer.ts';
import { createLoads, insufficientMemory, type LoadOptions } from './loads.ts';
import { openLease, type Asking, type Lease } from './lease.ts';
import type { ModelManifest } from './manifest.ts';
import type { Bytes } from './memory.ts';
import {
  createPoolEntry,
  describePoolEntry,
  expiryOf,
  isForgettable,
  isIdle,
  isOpen,
  holdingsAt,
  turnEndOf,
  type Background,
  type LeaveReason,
  type PoolEntry,
} from './pool-entry.ts';
import type { Runner } from './runner.ts';
import { createPromptCacheShares } from './prompt-cache-shares.ts';
import { createBackgroundLine } from './waiting/background.ts';
import { waitForRunner } from './waiting/wait.ts';

export type PoolOptions = Omit<LoadOptions, 'makeRoom'> & {
  /** How much of the memory that models leave earlier prompts may take. */
  promptCacheBytes: number;
  /** Requests that a model serves at the same time. */
  slotsOf: (manifest: ModelManifest) => number;
  /** Finds out what its placement depends on, if that is unknown. */
  prepare?: (manifest: ModelManifest) => Promise<unknown> | undefined;
  /** Additional requests that may be queued for a model. */
  queueMax: number;
  /** How long an unused model stays in memory. */
  keepAliveMs: number;
  /** How long a request waits for its model to load. */
  waitMs: number;
  /** How long a model serves after its load before it can be evicted for another. */
  turnMs: number;
  clock: Clock;
};

/** How long to keep a model that was loaded explicitly. */
export type Keep = { isPinned?: boolean; keepAliveMs?: number };

export type Pool = ReturnType<typeof createPool>;

/**
 * The models in memory. Each is loaded once however many requests need it, in order of arrival. To make room, idle
 * models are evicted first, then busy ones after their requests.
 */
export function createPool(options: PoolOptions) {
  const { clock, turnMs, queueMax, waitMs, slotsOf, keepAliveMs } = options;
  const entries = new Set<PoolEntry>();
  const closing = new AbortController();
  const all = () => [...entries];
  const sharePromptCache = createPromptCacheShares({ ...options, entries: all });
  const loads = createLoads({
    ...options,
    ...{ entries: all, settle, makeRoom: sharePromptCache, closing: closing.signal },
  });
  const line = createBackgroundLine({
    ...options,
    entries: all,
    entryOf,
    needOf: (entry) => loads.plan(entry),
  });
  const timer = createLongTimer({ clock, ring: settle });
  /** Entries that must be loaded for queued requests, in order of arrival. */
  let requests: PoolEntry[] = [];
  /** A keep setting holds until the model is stopped or the setting expires: a crash or an eviction does not end it. */
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

  /** Waits until the model is in memory, and keeps it there until the lease is released. */
  async function lease(
    manifest: ModelManifest,
    signal: AbortSignal,
    background?: Background,
  ): Promise<Lease> {
    signal.throwIfAborted();
    const readiness = options.prepare?.(manifest);
    if (readiness) await readiness;
    if (background) await line.turn(manifest, signal);
    const entry = entryOf(manifest);
    entry.leases += 1;
    return openLease({ entry, runnerOf, settle, clock, signal, background });
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

  /** Recomputes what to load and evict. Called after every change. */
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
    timer.set(nextChange(all(), { nowMs, turnMs, isAwaited: requests.length > 0 }));
    void sharePromptCache();
    line.look();
  }

  /** An eviction is reconsidered each time, since the request that needed the memory may be gone. */
  function review(entry: PoolEntry, nowMs: number): void {
    if (entry.leaving === 'evicted' && entry.state === 'loaded') entry.leaving = undefined;
    const expiry = expiryOf(entry);
    if (expiry === undefined || expiry > nowMs) return;
    entry.leaving = 'expired';
    keeps.delete(entry.manifest.id);
  }

  function decide(nowMs: number): void {
    const waiting = requests.filter(({ state }) => state === 'absent');
    const needs = new Map(waiting.flatMap((entry) => planned(entry, loads.plan)));
    const decision = admit({
      requests: [...needs].map(([key, need]) => ({ key, need })),
      holdings: holdingsAt(all(), { nowMs, turnMs }),
      budget: options.budget(),
    });
    for (const entry of decision.yield) {
      entry.leaving ??= 'evicted';
      for (const { preempt } of [...entry.background]) preempt();
    }
    for (const { key, need, have } of decision.refuse) {
      for (const { refuse } of [...key.waiters]) refuse(insufficientMemory(key.manifest, need, have));
    }
    for (const entry of decision.start) loads.begin(entry, needs.get(entry) ?? entry.bytes);
  }

  /** It accepts no new requests and unloads after the last one; one that is loading finishes first. */
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
    /** A lease and a slot in one. */
    slot: async (...wanted: Parameters<typeof lease>) => withSlot(await lease(...wanted), wanted[1]),
    stop,
    /** Loads it now, and keeps it as long as requested. */
    async load(manifest: ModelManifest, keep: Keep, signal: AbortSignal): Promise<void> {
      const held = await lease(manifest, signal);
      keeps.set(manifest.id, { ...keeps.get(manifest.id), ...keep });
      Object.assign(entryOf(manifest), keep);
      held[Symbol.dispose]();
    },
    status: () => all().map(describePoolEntry),
    leasesOf: (id: string) => sumOf(all(), ({ manifest, leases }) => (manifest.id === id ? leases : 0)),
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

/** A model that cannot be placed is refused without affecting others. */
function planned(entry: PoolEntry, plan: (entry: PoolEntry) => Bytes): [PoolEntry, Bytes][] {
  try {
    return [[entry, plan(entry)]];
  } catch (error) {
    for (const { refuse } of [...entry.waiters]) refuse(error as Error);
    return [];
  }
}

/** For changes that come with time: a model expires, or its turn ends while another waits. */
function nextChange(
  entries: readonly PoolEntry[],
  { nowMs, turnMs, isAwaited }: { nowMs: number; turnMs: number; isAwaited: boolean },
): number | undefined {
  const turns = isAwaited ? entries.map((entry) => turnEndOf(entry, turnMs)) : [];
  const times = [...entries.map(expiryOf), ...turns.filter((at) => at > nowMs)];
  const known = times.filter((at) => at !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

async function withSlot(held: Lease, signal: AbortSignal) {
  const end = () => held[Symbol.dispose]();
  try {
    return { runner: await held.slot(signal), [Symbol.dispose]: end };
  } catch (error) {
    end();
    throw error;
  }
}

function sumOf<Item>(items: readonly Item[], valueOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + valueOf(item), 0);
}

/** Other files require another load, and so does a file that was imported again as a different kind of model. */
function isSame(a: ModelManifest, b: ModelManifest): boolean {
  const isSameFile = a.path === b.path && a.bytes === b.bytes && a.engine === b.engine;
  const isSameKind = isSameFile && a.tasks.join() === b.tasks.join();
  const isSamePlace = JSON.stringify(a.placement) === JSON.stringify(b.placement);
  return isSameKind && isSamePlace && a.draft?.path === b.draft?.path && adaptersOf(a) === adaptersOf(b);
}

function adaptersOf({ adapters = [] }: ModelManifest): string {
  return adapters.map(({ path, scale }) => `${path} ${scale}`).join('\n');
}

import { toIso, type Clock } from '../base/clock.ts';
import { Failure } from '../base/errors.ts';
import type { Holding } from './memory/admission.ts';
import { hasContext, type ModelManifest } from './manifest.ts';
import { NOWHERE } from './devices/device.ts';
import { NO_BYTES, totalOf } from './memory.ts';
import type { Runner } from './runner.ts';
import { createSlots } from './slots.ts';

/** `absent` has no process and no memory; it may be waiting for some. */
export type PoolEntryState = 'absent' | 'loading' | 'loaded' | 'leaving';

export type LeaveReason = 'expired' | 'evicted' | 'stopped' | 'replaced';

export type Waiter = { grant: (runner: Runner) => void; refuse: (error: Error) => void };

/** A request that nobody is waiting for. It can be stopped anywhere and repeated later. */
export type Background = { preempt: () => void };

/** Such a request in a model's entry. */
export type BackgroundUser = Background & { hasSlot: boolean };

export type PoolEntryOptions = {
  manifest: ModelManifest;
  slots: number;
  queueMax: number;
  keepAliveMs: number;
  clock: Clock;
};

export type PoolEntry = ReturnType<typeof createPoolEntry>;

/** A model's entry in the pool: its users, its queue, and the memory it holds. It outlives its runner. */
export function createPoolEntry({ manifest, slots: count, queueMax, keepAliveMs, clock }: PoolEntryOptions) {
  return {
    manifest,
    slots: createSlots({ slots: count, queueMax, name: manifest.id }),
    /** Requests that may be admitted: running and queued. */
    guestsMax: count + queueMax,
    guests: 0,
    /** How many of them nobody is waiting for. */
    backgroundGuests: 0,
    /** How often it was wanted since it was last out of memory with nobody waiting. */
    leases: 0,
    /** Requests that were granted the runner, which therefore stays. */
    users: 0,
    /** Those of them that nobody is waiting for. */
    background: new Set<BackgroundUser>(),
    /** Requests that need a runner first. */
    waiters: [] as Waiter[],
    state: 'absent' as PoolEntryState,
    runner: undefined as Runner | undefined,
    bytes: NO_BYTES,
    /** As planned for its next load, or as it is now. */
    place: NOWHERE,
    contextTokens: null as number | null,
    /** Why the context has this length. */
    contextReason: null as string | null,
    /** As planned for its next load. */
    slotsPlanned: count,
    progress: 0,
    isPinned: false,
    keepAliveMs,
    /** Why it accepts no new requests and unloads when idle. */
    leaving: undefined as LeaveReason | undefined,
    loadedAt: undefined as number | undefined,
    lastUseAt: clock.now(),
    /** The load or unload in progress. */
    moving: undefined as Promise<void> | undefined,
    /** Called once it is out of memory. */
    onGone: [] as (() => void)[],
  };
}

export function isOpen(entry: PoolEntry): boolean {
  return isServing(entry) && entry.leaving === undefined;
}

export function isServing({ state, runner }: PoolEntry): boolean {
  return state === 'loaded' && runner?.alive === true;
}

export function isIdle({ state, users }: PoolEntry): boolean {
  return state === 'loaded' && users === 0;
}

/** Whether nobody is waiting for any of its work. */
export function isInBackground({ users, background }: PoolEntry): boolean {
  return users > 0 && users === background.size;
}

/** Whether it can be removed from the pool. */
export function isForgettable({ state, guests }: PoolEntry): boolean {
  return state === 'absent' && guests === 0;
}

export function expiryOf(entry: PoolEntry): number | undefined {
  const { isPinned, keepAliveMs, lastUseAt } = entry;
  if (!isIdle(entry) || isPinned || entry.leaving || keepAliveMs === Infinity) return undefined;
  return lastUseAt + keepAliveMs;
}

/** What holds memory at this moment. */
export function holdingsAt(entries: readonly PoolEntry[], at: { nowMs: number; turnMs: number }) {
  return entries.filter(({ state }) => state !== 'absent').map((entry) => toHolding(entry, at));
}

function toHolding(
  entry: PoolEntry,
  { nowMs, turnMs }: { nowMs: number; turnMs: number },
): Holding<PoolEntry> {
  const { bytes } = entry;
  const lastUseAt = isInBackground(entry) ? 0 : entry.lastUseAt;
  const state = holdingState(entry);
  return { key: entry, bytes, lastUseAt, state, isTurnOver: nowMs >= turnEndOf(entry, turnMs) };
}

export function turnEndOf({ loadedAt = 0 }: PoolEntry, turnMs: number): number {
  return loadedAt + turnMs;
}

function holdingState(entry: PoolEntry): Holding<PoolEntry>['state'] {
  if (entry.state === 'leaving' || (isIdle(entry) && entry.leaving)) return 'leaving';
  if (entry.isPinned) return 'pinned';
  if (entry.state === 'loading') return 'settled';
  return isIdle(entry) || isInBackground(entry) ? 'idle' : 'busy';
}

export function describePoolEntry(entry: PoolEntry) {
  const { manifest, runner, slots, state, loadedAt, contextTokens, contextReason } = entry;
  const expiresAt = expiryOf(entry);
  return {
    artifact: manifest.id,
    engine: manifest.engine,
    state: state === 'absent' ? ('waiting' as const) : state,
    progress: state === 'loading' ? entry.progress : null,
    device: runner?.description.device ?? null,
    layers: layersOf(runner),
    fallback: runner?.description.fallback ?? null,
    build: runner?.description.build ?? null,
    pid: runner?.pid || null,
    sandbox: runner?.sandbox ?? null,
    bytes: totalOf({ ...entry.bytes, ram: runner?.memoryBytes || entry.bytes.ram }),
    cards: cardsOf(entry),
    context_tokens: hasContext(manifest) ? (runner?.description.contextTokens ?? contextTokens) : null,
    context_reason: hasContext(manifest) && contextTokens !== null ? contextReason : null,
    threads: runner?.description.threads ?? null,
    flash_attention: runner?.description.flashAttention ?? null,
    kv_cache_type: runner?.description.cacheType ?? null,
    drafts: runner ? draftsOf(runner) : null,
    prompt_cache: runner ? promptCacheOf(runner) : null,
    slots: slots.slots,
    busy: slots.busy,
    queued: entry.guests - slots.busy,
    pinned: entry.isPinned,
    loaded_at: loadedAt === undefined ? null : toIso(loadedAt),
    expires_at: expiresAt === undefined ? null : toIso(expiresAt),
  };
}

function cardsOf({ place, bytes }: PoolEntry) {
  const on = place.cards.filter(({ index }) => (bytes.vram[String(index)] ?? 0) > 0);
  return on.map(({ index, backend, name }) => ({
    ...{ index, backend, name },
    bytes: bytes.vram[String(index)] ?? 0,
  }));
}

function layersOf(runner: Runner | undefined) {
  const layers = runner?.description.layers;
  return layers ? { on_cards: layers.onCards, all: layers.all } : null;
}

function draftsOf({ description, draftCounts }: Runner) {
  const { draftedBy: by } = description;
  return by === undefined || !draftCounts ? null : { by, ...draftCounts() };
}

function promptCacheOf({ promptCache }: Runner) {
  if (!promptCache) return null;
  const { bytes, bytesMax, entries, hits } = promptCache();
  return { bytes, bytes_max: bytesMax, entries, hits };
}

/** Back to `absent`. */
export function clear(entry: PoolEntry): void {
  Object.assign(entry, { state: 'absent', runner: undefined, bytes: NO_BYTES, contextTokens: null });
  Object.assign(entry, { leaving: undefined, loadedAt: undefined });
  for (const notify of entry.onGone.splice(0)) notify();
}

export function queueFull({ manifest, slots, guestsMax }: PoolEntry): Failure {
  return new Failure(
    'queue_full',
    `"${manifest.id}" is busy and ${guestsMax - slots.slots} requests are waiting for it already. Try again soon.`,
  );
}

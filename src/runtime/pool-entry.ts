import { toIso, type Clock } from '../base/clock.ts';
import { Failure } from '../base/errors.ts';
import type { Holding } from './admission.ts';
import { hasContext, type ModelManifest } from './manifest.ts';
import { NO_BYTES } from './memory.ts';
import type { Runner } from './runner.ts';
import { createSlots } from './slots.ts';

/** `absent` has no process and no memory; it may be waiting for some. */
export type PlaceState = 'absent' | 'loading' | 'loaded' | 'leaving';

export type LeaveReason = 'expired' | 'evicted' | 'stopped' | 'replaced';

export type Waiter = { grant: (runner: Runner) => void; refuse: (error: Error) => void };

export type PlaceOptions = {
  manifest: ModelManifest;
  slots: number;
  queueMax: number;
  keepAliveMs: number;
  clock: Clock;
};

export type Place = ReturnType<typeof createPlace>;

/** A model's place in the pool: who uses it, who waits for it, and the memory it holds. It outlives its runner. */
export function createPlace({ manifest, slots: count, queueMax, keepAliveMs, clock }: PlaceOptions) {
  return {
    manifest,
    slots: createSlots({ slots: count, queueMax, name: manifest.id }),
    /** Requests that may come at all: those that run and those that wait. */
    guestsMax: count + queueMax,
    guests: 0,
    /** The guests that were given the runner, which therefore stays. */
    users: 0,
    /** Those that need a runner first. */
    waiters: [] as Waiter[],
    state: 'absent' as PlaceState,
    runner: undefined as Runner | undefined,
    bytes: NO_BYTES,
    contextTokens: null as number | null,
    /** Why its context is as long as it is. */
    contextReason: null as string | null,
    /** As planned for its next load. */
    slotsPlanned: count,
    progress: 0,
    isPinned: false,
    keepAliveMs,
    /** Why it takes no newcomers and leaves with its last user. */
    leaving: undefined as LeaveReason | undefined,
    loadedAt: undefined as number | undefined,
    lastUseAt: clock.now(),
    /** The load or unload under way. */
    moving: undefined as Promise<void> | undefined,
    /** Called once it is out of memory. */
    onGone: [] as (() => void)[],
  };
}

export function isOpen(place: Place): boolean {
  return isServing(place) && place.leaving === undefined;
}

export function isServing({ state, runner }: Place): boolean {
  return state === 'loaded' && runner?.alive === true;
}

export function isIdle({ state, users }: Place): boolean {
  return state === 'loaded' && users === 0;
}

/** Nobody would miss it. */
export function isForgettable({ state, guests }: Place): boolean {
  return state === 'absent' && guests === 0;
}

export function expiryOf(place: Place): number | undefined {
  const { isPinned, keepAliveMs, lastUseAt } = place;
  if (!isIdle(place) || isPinned || place.leaving || keepAliveMs === Infinity) return undefined;
  return lastUseAt + keepAliveMs;
}

export function toHolding(
  place: Place,
  { nowMs, turnMs }: { nowMs: number; turnMs: number },
): Holding<Place> {
  const { bytes, lastUseAt } = place;
  const state = holdingState(place);
  return { key: place, bytes, lastUseAt, state, isTurnOver: nowMs >= turnEndOf(place, turnMs) };
}

export function turnEndOf({ loadedAt = 0 }: Place, turnMs: number): number {
  return loadedAt + turnMs;
}

function holdingState(place: Place): Holding<Place>['state'] {
  if (place.state === 'leaving' || (isIdle(place) && place.leaving)) return 'leaving';
  if (place.isPinned) return 'pinned';
  if (place.state === 'loading') return 'settled';
  return isIdle(place) ? 'idle' : 'busy';
}

export function describePlace(place: Place) {
  const { manifest, runner, slots, state, loadedAt, contextTokens, contextReason } = place;
  const expiresAt = expiryOf(place);
  return {
    artifact: manifest.id,
    engine: manifest.engine,
    state: state === 'absent' ? ('waiting' as const) : state,
    progress: state === 'loading' ? place.progress : null,
    device: runner?.description.device ?? null,
    fallback: runner?.description.fallback ?? null,
    build: runner?.description.build ?? null,
    pid: runner?.pid || null,
    bytes: (runner?.memoryBytes || place.bytes.ram) + place.bytes.vram,
    context_tokens: hasContext(manifest) ? (runner?.description.contextTokens ?? contextTokens) : null,
    context_reason: hasContext(manifest) && contextTokens !== null ? contextReason : null,
    threads: runner?.description.threads ?? null,
    flash_attention: runner?.description.flashAttention ?? null,
    kv_cache_type: runner?.description.cacheType ?? null,
    drafts: runner ? draftsOf(runner) : null,
    slots: slots.slots,
    busy: slots.busy,
    queued: place.guests - slots.busy,
    pinned: place.isPinned,
    loaded_at: loadedAt === undefined ? null : toIso(loadedAt),
    expires_at: expiresAt === undefined ? null : toIso(expiresAt),
  };
}

function draftsOf({ description, draftCounts }: Runner) {
  const { draftedBy: by } = description;
  return by === undefined || !draftCounts ? null : { by, ...draftCounts() };
}

/** Out of memory again. */
export function clear(place: Place): void {
  Object.assign(place, { state: 'absent', runner: undefined, bytes: NO_BYTES, contextTokens: null });
  Object.assign(place, { leaving: undefined, loadedAt: undefined });
  for (const tell of place.onGone.splice(0)) tell();
}

export function queueFull({ manifest, slots, guestsMax }: Place): Failure {
  return new Failure(
    'queue_full',
    `"${manifest.id}" is busy and ${guestsMax - slots.slots} requests are waiting for it already. Try again soon.`,
  );
}

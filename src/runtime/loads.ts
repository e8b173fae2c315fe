import type { Clock } from '../base/clock.ts';
import { Failure, toFailure } from '../base/errors.ts';
import { LEAST_TOKENS, type ContextPlan } from './memory/context-plan.ts';
import type { ModelManifest } from './manifest.ts';
import type { Place } from './devices/device.ts';
import { chooseContext, fits, minus, shortCard, spread, sum, type Bytes } from './memory.ts';
import { clear, isIdle, type LeaveReason, type PoolEntry } from './pool-entry.ts';
import type { Runner } from './runner.ts';

export type LoadOptions = {
  start: (manifest: ModelManifest, load: StartOptions) => Promise<Runner>;
  /** The memory that all models may use. */
  budget: () => Bytes;
  needOf: (manifest: ModelManifest, contextTokens: number, slots: number, place: Place) => Bytes;
  /**
   * The cards that it goes to, given the memory that is free now, and that would be free if all that can unload did.
   */
  placeOf: (manifest: ModelManifest, memory: { free: Bytes; room: Bytes }) => Place;
  /** The context length and number of slots for this much memory. */
  contextOf: (manifest: ModelManifest, room: Bytes, place: Place) => ContextPlan;
  /** Frees memory that is only used by caches. */
  makeRoom: () => Promise<void> | undefined;
  report: (event: PoolEvent) => void;
  clock: Clock;
};

export type StartOptions = {
  contextTokens: number;
  slots: number;
  place: Place;
  signal: AbortSignal;
  onProgress: (fraction: number) => void;
};

export type PoolEvent =
  | {
      type: 'loaded';
      manifest: ModelManifest;
      runner: Runner;
      bytes: Bytes;
      contextReason: string | null;
      loadMs: number;
    }
  | { type: 'load_failed'; manifest: ModelManifest; failure: Failure }
  | { type: 'unloaded'; manifest: ModelManifest; reason: LeaveReason | 'crashed' };

type LoadsContext = LoadOptions & {
  entries: () => PoolEntry[];
  /** To be called after every change. */
  settle: () => void;
  closing: AbortSignal;
};

/** Loads models into memory and unloads them. */
export function createLoads({
  start,
  budget,
  needOf,
  placeOf,
  contextOf,
  makeRoom,
  report,
  clock,
  entries,
  settle,
  closing,
}: LoadsContext) {
  const leftBy = (others: readonly PoolEntry[]) => minus(budget(), sum(others.map(({ bytes }) => bytes)));
  const others = (entry: PoolEntry) => entries().filter((other) => other !== entry);
  const freeFor = (entry: PoolEntry) => leftBy(others(entry));
  /** Memory available to this entry if every model that can be evicted were. */
  const roomFor = (entry: PoolEntry) => leftBy(others(entry).filter(({ isPinned }) => isPinned));

  /** The memory for the longest possible context, which the entry records. */
  function plan(entry: PoolEntry, tokensMax = Infinity): Bytes {
    const { manifest } = entry;
    const room = roomFor(entry);
    const place = placeOf(manifest, { free: freeFor(entry), room });
    const { contextTokens: tokens, slots, isAutomatic, reason } = contextOf(manifest, room, place);
    const need = (length: number) => needOf(manifest, length, slots, place);
    const chosen = chooseContext({
      tokens: isAutomatic ? Math.min(tokensMax, tokens) : tokens,
      isAutomatic,
      tokensMin: LEAST_TOKENS,
      needOf: need,
      room,
    });
    entry.place = place;
    entry.contextTokens = chosen;
    entry.contextReason = chosen < tokens ? `${reason}; halved, since memory ran out` : reason;
    entry.slotsPlanned = slots;
    return need(chosen);
  }

  function begin(entry: PoolEntry, need: Bytes): void {
    entry.state = 'loading';
    entry.bytes = need;
    entry.slots.resize(entry.slotsPlanned);
    entry.progress = 0;
    entry.moving = load(entry).finally(() => {
      entry.moving = undefined;
      settle();
    });
  }

  async function load(entry: PoolEntry): Promise<void> {
    const startedAt = performance.now();
    try {
      const runner = await loadOnceMore(entry);
      entry.runner = runner;
      entry.state = 'loaded';
      entry.loadedAt = entry.lastUseAt = clock.now();
      void runner.exited.then(() => ended(entry, runner));
      report({
        type: 'loaded',
        manifest: entry.manifest,
        runner,
        bytes: entry.bytes,
        contextReason: entry.contextReason,
        loadMs: performance.now() - startedAt,
      });
      for (const waiter of [...entry.waiters]) waiter.grant(runner);
    } catch (error) {
      clear(entry);
      if (!closing.aborted)
        report({ type: 'load_failed', manifest: entry.manifest, failure: toFailure(error) });
      for (const waiter of [...entry.waiters]) waiter.refuse(error as Error);
    }
  }

  /**
   * After running out of memory once: idle models are unloaded, an automatic context shrinks, and the load is
   * retried.
   */
  async function loadOnceMore(entry: PoolEntry): Promise<Runner> {
    try {
      return await loadOnce(entry);
    } catch (error) {
      if (!isOutOfMemory(error) || closing.aborted) throw error;
    }
    await Promise.all(
      entries()
        .filter(isEvictable)
        .map((other) => end(other, 'evicted')),
    );
    const half = Math.floor((entry.contextTokens ?? 0) / 2);
    entry.bytes = plan(entry, Math.max(half, LEAST_TOKENS));
    entry.slots.resize(entry.slotsPlanned);
    const room = roomFor(entry);
    if (!fits(entry.bytes, room)) throw insufficientMemory(entry.manifest, entry.bytes, room);
    return loadOnce(entry);
  }

  async function loadOnce(entry: PoolEntry): Promise<Runner> {
    const { manifest, contextTokens, slotsPlanned, place } = entry;
    const shrinking = makeRoom();
    if (shrinking) await shrinking;
    const runner = await start(manifest, {
      contextTokens: contextTokens ?? LEAST_TOKENS,
      slots: slotsPlanned,
      place,
      signal: closing,
      onProgress: (fraction) => (entry.progress = fraction),
    });
    const { memory } = runner.description;
    const measured = memory ? measuredBytes(memory, place) : entry.bytes;
    const room = roomFor(entry);
    if (!fits(measured, room)) {
      await runner[Symbol.asyncDispose]();
      throw insufficientMemory(manifest, measured, room);
    }
    entry.bytes = measured;
    return runner;
  }

  function ended(entry: PoolEntry, runner: Runner): void {
    if (entry.runner !== runner || entry.state !== 'loaded') return;
    clear(entry);
    report({ type: 'unloaded', manifest: entry.manifest, reason: 'crashed' });
    settle();
  }

  /** Unloads it, whatever it is doing. */
  function end(entry: PoolEntry, reason: LeaveReason): Promise<void> {
    const { runner } = entry;
    entry.state = 'leaving';
    entry.moving = unload(entry, runner).finally(() => {
      entry.moving = undefined;
      report({ type: 'unloaded', manifest: entry.manifest, reason });
      settle();
    });
    return entry.moving;
  }

  async function unload(entry: PoolEntry, runner: Runner | undefined): Promise<void> {
    await runner?.[Symbol.asyncDispose]();
    clear(entry);
  }

  return { plan, begin, end };
}

/** The engine counts all cards together; memory on cards that are unknown is shown and limits nothing. */
function measuredBytes({ ram, vram }: { ram: number; vram: number }, { cards }: Place): Bytes {
  const onCards = spread(vram, cards);
  return { ram, vram: vram > 0 && Object.keys(onCards).length === 0 ? { shared: vram } : onCards };
}

function isEvictable(entry: PoolEntry): boolean {
  return isIdle(entry) && !entry.isPinned;
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Failure && error.code === 'insufficient_memory';
}

const MORE_MEMORY =
  'Unload what is pinned (askd ps, askd stop), choose a smaller model or context, or raise memory_budget_bytes.';
const MORE_ON_CARD =
  'Unload what is pinned (askd ps, askd stop), or choose other devices or fewer layers (askd devices, askd place).';

export function insufficientMemory(manifest: ModelManifest, need: Bytes, have: Bytes): Failure {
  const card = need.ram > have.ram ? undefined : shortCard(need, have);
  const [needs, has] =
    card === undefined ? [need.ram, have.ram] : [need.vram[card] ?? 0, have.vram[card] ?? 0];
  const where = card === undefined ? 'memory' : `memory on device ${card}`;
  return new Failure(
    'insufficient_memory',
    `"${manifest.id}" needs ${gigabytes(needs)} of ${where} and ${gigabytes(Math.max(has, 0))} can be freed for it. ` +
      (card === undefined ? MORE_MEMORY : MORE_ON_CARD),
    { details: { need_bytes: needs, have_bytes: Math.max(has, 0) } },
  );
}

export function gigabytes(bytes: number): string {
  return bytes < 1e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

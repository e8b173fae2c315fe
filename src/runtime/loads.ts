import type { Clock } from '../base/clock.ts';
import { Failure, toFailure } from '../base/errors.ts';
import { LEAST_TOKENS, type ContextPlan } from './context-plan.ts';
import type { ModelManifest } from './manifest.ts';
import { chooseContext, fits, minus, sum, totalOf, type Bytes } from './memory.ts';
import { clear, isIdle, type LeaveReason, type Place } from './pool-entry.ts';
import type { Runner } from './runner.ts';

export type LoadOptions = {
  start: (manifest: ModelManifest, load: StartOptions) => Promise<Runner>;
  /** What models may take together. */
  budget: () => Bytes;
  needOf: (manifest: ModelManifest, contextTokens: number, slots: number) => Bytes;
  /** How long its context becomes in this room, and how many slots it has. */
  contextOf: (manifest: ModelManifest, room: Bytes) => ContextPlan;
  report: (event: PoolEvent) => void;
  clock: Clock;
};

export type StartOptions = {
  contextTokens: number;
  slots: number;
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

type Surroundings = LoadOptions & {
  places: () => Place[];
  /** To be called after every change. */
  settle: () => void;
  closing: AbortSignal;
};

/** Brings models into memory and out of it. */
export function createLoads({
  start,
  budget,
  needOf,
  contextOf,
  report,
  clock,
  places,
  settle,
  closing,
}: Surroundings) {
  /** Memory that this place could have if all others left that can. */
  function roomFor(place: Place): Bytes {
    const pinned = places().filter((other) => other !== place && other.isPinned);
    return minus(budget(), sum(pinned.map(({ bytes }) => bytes)));
  }

  /** What the place needs with the longest context that it can have, which it remembers. */
  function plan(place: Place, tokensMax = Infinity): Bytes {
    const { manifest } = place;
    const room = roomFor(place);
    const { contextTokens: tokens, slots, isAutomatic, reason } = contextOf(manifest, room);
    const need = (length: number) => needOf(manifest, length, slots);
    const chosen = chooseContext({
      tokens: isAutomatic ? Math.min(tokensMax, tokens) : tokens,
      isAutomatic,
      tokensMin: LEAST_TOKENS,
      needOf: need,
      room,
    });
    place.contextTokens = chosen;
    place.contextReason = chosen < tokens ? `${reason}; halved, since memory ran out` : reason;
    place.slotsPlanned = slots;
    return need(chosen);
  }

  function begin(place: Place, need: Bytes): void {
    place.state = 'loading';
    place.bytes = need;
    place.slots.resize(place.slotsPlanned);
    place.progress = 0;
    place.moving = load(place).finally(() => {
      place.moving = undefined;
      settle();
    });
  }

  async function load(place: Place): Promise<void> {
    const startedAt = performance.now();
    try {
      const runner = await loadOnceMore(place);
      place.runner = runner;
      place.state = 'loaded';
      place.loadedAt = place.lastUseAt = clock.now();
      void runner.exited.then(() => ended(place, runner));
      report({
        type: 'loaded',
        manifest: place.manifest,
        runner,
        bytes: place.bytes,
        contextReason: place.contextReason,
        loadMs: performance.now() - startedAt,
      });
      for (const waiter of [...place.waiters]) waiter.grant(runner);
    } catch (error) {
      clear(place);
      if (!closing.aborted)
        report({ type: 'load_failed', manifest: place.manifest, failure: toFailure(error) });
      for (const waiter of [...place.waiters]) waiter.refuse(error as Error);
    }
  }

  /** Out of memory once: the others that nobody uses leave, an automatic context shrinks, and it is tried again. */
  async function loadOnceMore(place: Place): Promise<Runner> {
    try {
      return await loadOnce(place);
    } catch (error) {
      if (!isOutOfMemory(error) || closing.aborted) throw error;
    }
    await Promise.all(
      places()
        .filter(isEvictable)
        .map((other) => end(other, 'evicted')),
    );
    const half = Math.floor((place.contextTokens ?? 0) / 2);
    place.bytes = plan(place, Math.max(half, LEAST_TOKENS));
    place.slots.resize(place.slotsPlanned);
    const room = roomFor(place);
    if (!fits(place.bytes, room)) throw insufficientMemory(place.manifest, place.bytes, room);
    return loadOnce(place);
  }

  async function loadOnce(place: Place): Promise<Runner> {
    const { manifest, contextTokens, slotsPlanned } = place;
    const runner = await start(manifest, {
      contextTokens: contextTokens ?? LEAST_TOKENS,
      slots: slotsPlanned,
      signal: closing,
      onProgress: (fraction) => (place.progress = fraction),
    });
    const measured = runner.description.memory ?? place.bytes;
    const room = roomFor(place);
    if (!fits(measured, room)) {
      await runner[Symbol.asyncDispose]();
      throw insufficientMemory(manifest, measured, room);
    }
    place.bytes = measured;
    return runner;
  }

  function ended(place: Place, runner: Runner): void {
    if (place.runner !== runner || place.state !== 'loaded') return;
    clear(place);
    report({ type: 'unloaded', manifest: place.manifest, reason: 'crashed' });
    settle();
  }

  /** Takes it out of memory, whatever it is doing. */
  function end(place: Place, reason: LeaveReason): Promise<void> {
    const { runner } = place;
    place.state = 'leaving';
    place.moving = unload(place, runner).finally(() => {
      place.moving = undefined;
      report({ type: 'unloaded', manifest: place.manifest, reason });
      settle();
    });
    return place.moving;
  }

  async function unload(place: Place, runner: Runner | undefined): Promise<void> {
    await runner?.[Symbol.asyncDispose]();
    clear(place);
  }

  return { plan, begin, end };
}

function isEvictable(place: Place): boolean {
  return isIdle(place) && !place.isPinned;
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Failure && error.code === 'insufficient_memory';
}

export function insufficientMemory(manifest: ModelManifest, need: Bytes, have: Bytes): Failure {
  const [needs, has] = need.ram > have.ram ? [need.ram, have.ram] : [totalOf(need), totalOf(have)];
  return new Failure(
    'insufficient_memory',
    `"${manifest.id}" needs ${gigabytes(needs)} of memory and ${gigabytes(Math.max(has, 0))} can be had for it. ` +
      'Unload what is pinned (askd ps, askd stop), choose a smaller model or context, or raise memory_budget_bytes.',
    { details: { need_bytes: needs, have_bytes: Math.max(has, 0) } },
  );
}

function gigabytes(bytes: number): string {
  return bytes < 1e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

import type { Clock } from '../clock.ts';
import { Failure } from '../errors.ts';
import type { ModelManifest } from './manifest.ts';
import { createPlace, type Place } from './place.ts';
import type { Runner } from './runner.ts';

export type PoolOptions = {
  start: (manifest: ModelManifest, signal: AbortSignal) => Promise<Runner>;
  slots: number;
  queueMax: number;
  clock: Clock;
};

export type Pool = ReturnType<typeof createPool>;

/** The runners: one per model in use, each loaded once however many requests ask for it. */
export function createPool({ start, slots, queueMax, clock }: PoolOptions) {
  const places = new Map<string, Place>();
  const retiring = new Set<Promise<void>>();
  const closing = new AbortController();

  function placeOf(manifest: ModelManifest): Place {
    closing.signal.throwIfAborted();
    const known = places.get(manifest.id);
    if (known?.manifest.path === manifest.path) return known;
    if (known) void retire(known);
    const place: Place = createPlace({
      manifest,
      start: (model) => start(model, closing.signal),
      slots,
      queueMax,
      clock,
      onChange: () => removeIfEmpty(place),
    });
    places.set(manifest.id, place);
    return place;
  }

  function removeIfEmpty(place: Place): void {
    if (place.isEmpty) remove(place);
  }

  function remove(place: Place): void {
    if (places.get(place.manifest.id) === place) places.delete(place.manifest.id);
  }

  /** Waits for a slot, then hands out the runner that is alive by then. */
  async function slot(manifest: ModelManifest, signal: AbortSignal) {
    const place = placeOf(manifest);
    await place.slots.take(signal);
    const release = once(() => {
      place.slots.release();
      removeIfEmpty(place);
    });
    try {
      return { runner: await place.ready(signal), [Symbol.dispose]: release };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Takes a model out at once for newcomers; requests that run on it finish first. */
  async function retire(place: Place): Promise<void> {
    remove(place);
    const work = place.slots.idle().then(() => place.clear());
    retiring.add(work);
    await work.finally(() => retiring.delete(work));
  }

  return {
    slot,
    ready: async (manifest: ModelManifest, signal: AbortSignal) => placeOf(manifest).ready(signal),
    async stop(id: string): Promise<boolean> {
      const place = places.get(id);
      if (place) await retire(place);
      return place !== undefined;
    },
    status: () => [...places.values()].map((place) => place.status()),
    async close(): Promise<void> {
      closing.abort(new Failure('shutting_down', 'The daemon is stopping.'));
      await Promise.all([...[...places.values()].map((place) => place.clear()), ...retiring]);
    },
  };
}

function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    work();
  };
}

import { toIso, type Clock } from '../clock.ts';
import { Failure } from '../errors.ts';
import type { ModelManifest } from './manifest.ts';
import type { Runner } from './runner.ts';
import { createSlots, type Slots } from './slots.ts';

export type PoolOptions = {
  start: (manifest: ModelManifest, signal: AbortSignal) => Promise<Runner>;
  slots: number;
  queueMax: number;
  clock: Clock;
};

export type Pool = ReturnType<typeof createPool>;

/** A model's place in the pool. It outlives its runner: after a crash the next request starts another. */
type Entry = {
  manifest: ModelManifest;
  slots: Slots;
  loading: Promise<Runner> | undefined;
  runner: Runner | undefined;
  loadedAt: number | undefined;
};

/** The runners: one per model in use, each loaded once however many requests ask for it. */
export function createPool({ start, slots, queueMax, clock }: PoolOptions) {
  const entries = new Map<string, Entry>();
  const retiring = new Set<Promise<void>>();
  const closing = new AbortController();

  function entryOf(manifest: ModelManifest): Entry {
    const known = entries.get(manifest.id);
    if (known && known.manifest.path === manifest.path) return known;
    if (known) void retire(known);
    const entry: Entry = {
      manifest,
      slots: createSlots({ slots, queueMax, name: manifest.id }),
      loading: undefined,
      runner: undefined,
      loadedAt: undefined,
    };
    entries.set(manifest.id, entry);
    return entry;
  }

  /** The loaded runner; joins a load that is under way. */
  async function ready(manifest: ModelManifest, signal: AbortSignal): Promise<Runner> {
    return readyEntry(entryOf(manifest), signal);
  }

  async function readyEntry(entry: Entry, signal: AbortSignal): Promise<Runner> {
    if (closing.signal.aborted) throw closing.signal.reason;
    if (entry.runner?.alive) return entry.runner;
    entry.loading ??= load(entry);
    return raceAbort(entry.loading, signal);
  }

  async function load(entry: Entry): Promise<Runner> {
    try {
      const runner = await start(entry.manifest, closing.signal);
      entry.runner = runner;
      entry.loadedAt = clock.now();
      void runner.exited.then(() => forget(entry, runner));
      return runner;
    } finally {
      entry.loading = undefined;
      removeIfUnused(entry);
    }
  }

  function forget(entry: Entry, runner: Runner): void {
    if (entry.runner === runner) entry.runner = undefined;
    removeIfUnused(entry);
  }

  function removeIfUnused(entry: Entry): void {
    const unused = !entry.runner && !entry.loading && entry.slots.busy === 0;
    if (unused && entries.get(entry.manifest.id) === entry) entries.delete(entry.manifest.id);
  }

  /** Waits for a slot, then hands out the runner that is alive by then. */
  async function slot(manifest: ModelManifest, signal: AbortSignal) {
    const entry = entryOf(manifest);
    await entry.slots.take(signal);
    const release = once(() => {
      entry.slots.release();
      removeIfUnused(entry);
    });
    try {
      return { runner: await readyEntry(entry, signal), [Symbol.dispose]: release };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Takes a model out at once for newcomers; requests that run on it finish first. */
  async function retire(entry: Entry): Promise<void> {
    if (entries.get(entry.manifest.id) === entry) entries.delete(entry.manifest.id);
    const work = drainEntry(entry);
    retiring.add(work);
    await work.finally(() => retiring.delete(work));
  }

  async function drainEntry(entry: Entry): Promise<void> {
    await entry.loading?.catch(() => undefined);
    await entry.slots.idle();
    await entry.runner?.[Symbol.asyncDispose]();
  }

  return {
    ready,
    slot,
    async stop(id: string): Promise<boolean> {
      const entry = entries.get(id);
      if (!entry) return false;
      await retire(entry);
      return true;
    },
    status: () => [...entries.values()].map(describe),
    async close(): Promise<void> {
      closing.abort(new Failure('shutting_down', 'The daemon is stopping.'));
      const loaded = [...entries.values()].map(async (entry) => {
        await entry.loading?.catch(() => undefined);
        await entry.runner?.[Symbol.asyncDispose]();
      });
      await Promise.all([...loaded, ...retiring]);
    },
  };
}

export type PoolStatus = ReturnType<typeof describe>;

function describe({ manifest, slots, runner, loadedAt }: Entry) {
  return {
    artifact: manifest.id,
    engine: manifest.engine,
    state: runner ? ('loaded' as const) : ('loading' as const),
    device: runner?.description.device ?? null,
    pid: runner?.pid ?? null,
    bytes: runner?.memoryBytes ?? 0,
    context_tokens: runner?.description.contextTokens ?? null,
    threads: runner?.description.threads ?? null,
    slots: slots.slots,
    busy: slots.busy,
    queued: slots.queued,
    loaded_at: loadedAt === undefined ? null : toIso(loadedAt),
    expires_at: null,
  };
}

function raceAbort<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    work();
  };
}

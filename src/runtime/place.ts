import { toIso, type Clock } from '../clock.ts';
import type { ModelManifest } from './manifest.ts';
import type { Runner } from './runner.ts';
import { createSlots } from './slots.ts';

export type PlaceOptions = {
  manifest: ModelManifest;
  start: (manifest: ModelManifest) => Promise<Runner>;
  slots: number;
  queueMax: number;
  clock: Clock;
  /** Called whenever the place may have become empty. */
  onChange: () => void;
};

export type Place = ReturnType<typeof createPlace>;

/** A model's place in the pool. It outlives its runner: after a crash the next request starts another. */
export function createPlace({ manifest, start, slots: count, queueMax, clock, onChange }: PlaceOptions) {
  const slots = createSlots({ slots: count, queueMax, name: manifest.id });
  let loading: Promise<Runner> | undefined;
  let runner: Runner | undefined;
  let loadedAt: number | undefined;

  async function load(): Promise<Runner> {
    try {
      const loaded = await start(manifest);
      runner = loaded;
      loadedAt = clock.now();
      void loaded.exited.then(() => forget(loaded));
      return loaded;
    } finally {
      loading = undefined;
      onChange();
    }
  }

  function forget(ended: Runner): void {
    if (runner === ended) runner = undefined;
    onChange();
  }

  return {
    manifest,
    slots,
    get isEmpty() {
      return !runner && !loading && slots.busy === 0;
    },
    /** The runner that is alive; joins a load that is under way. */
    async ready(signal: AbortSignal): Promise<Runner> {
      if (runner?.alive) return runner;
      loading ??= load();
      return raceAbort(loading, signal);
    },
    /** Ends the runner, whatever it is doing. */
    async clear(): Promise<void> {
      await loading?.catch(() => undefined);
      await runner?.[Symbol.asyncDispose]();
    },
    status: () => describe({ manifest, slots, runner, loadedAt }),
  };
}

type Description = Pick<Place, 'manifest' | 'slots'> & {
  runner: Runner | undefined;
  loadedAt: number | undefined;
};

function describe({ manifest, slots, runner, loadedAt }: Description) {
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
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
